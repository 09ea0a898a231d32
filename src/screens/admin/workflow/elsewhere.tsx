import { useEffect, useState } from 'react';
import { chooseOrganization } from '#session/organization.ts';
import { fetchProduct } from '#data/actions/workflows.ts';
import type { OnlineResult } from '#data/model/views.ts';
import { useChanges, useData, useRecord } from '#data/react/hooks.ts';
import { EmptyBox, NotOnDevice, Skeleton } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import { NotFound } from '../../app/page/not-found.tsx';

/** A product that is not on the device: fetched, or said to be nowhere. */
export function Fetched({ id }: { readonly id: string }) {
  const data = useData();
  const isOffline = useChanges().status === 'offline';
  const [answer, setAnswer] = useState<OnlineResult<unknown> | null>(null);
  const [again, setAgain] = useState(0);
  useEffect(() => {
    if (isOffline) return undefined;
    let isOver = false;
    void fetchProduct(data, id).then((next) => {
      if (!isOver) setAnswer(next);
    });
    return () => {
      isOver = true;
    };
  }, [data, id, isOffline, again]);

  if (answer?.is === 'refused') return <NotFound />;
  if (!isOffline && answer?.is !== 'no-answer') return <Skeleton rows={5} />;
  return (
    <NotOnDevice
      isPage
      onTryAgain={() => {
        setAnswer(null);
        setAgain(again + 1);
      }}
    />
  );
}

/** No update comes by itself of an organization that is not in view: what is here may be old. */
export function Elsewhere({ organization: id }: { readonly organization: string }) {
  const t = useText();
  const { record } = useRecord('organization', id);
  const organization = record?.name ?? '';
  return (
    <EmptyBox
      isPage
      icon="building"
      title={t('workflow.elsewhere', { organization })}
      action={
        <Button
          primary
          onClick={() => {
            chooseOrganization(id);
          }}
        >
          {t('workflow.lookAt', { organization })}
        </Button>
      }
    >
      {t('workflow.elsewhereText')}
    </EmptyBox>
  );
}
