import { useId, useState } from 'react';
import { mayRunActions, reasonAgainstRollBack } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useFind, useRecord, useViewer } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import { fileTypeOf } from '../in-project/download-page.ts';
import { Question } from '../in-project/question.tsx';
import { useProductRun } from '../in-project/use-product-run.ts';

interface Props {
  readonly product: Of<'product'>;
  /** The state of the product's changes. */
  readonly change: ChangeState | null;
  readonly build: Of<'productBuild'>;
  /** The successful publications of the product, newest first. */
  readonly releases: readonly Of<'productPublication'>[];
}

/** Has an earlier build released again; nothing of one that never was, or that is out now. */
export function RollBack({ product, change, build, releases }: Props) {
  const t = useText();
  const find = useFind();
  const viewer = useViewer();
  const whyNot = useId();
  const [isAsking, ask] = useState(false);
  const { record: project } = useRecord('project', product.project);
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const name = definition?.name ?? '';
  const names = { product: name, project: project?.name ?? '' };
  const { underWay, rollBack } = useProductRun(product, change, names);

  const [out] = releases;
  const earlier = releases.find(({ productBuild }) => productBuild === build.id);
  if (out === undefined || earlier === undefined || out.productBuild === build.id) return null;
  if (!mayRunActions(viewer, product, find)) return null;
  const isBusy = underWay !== null;
  const reason = isBusy ? 'running' : reasonAgainstRollBack(build.id, releases, product, find);
  const from = out.releaseVersion ?? product.versionPublished ?? '--';
  const to = earlier.releaseVersion ?? build.buildVersion ?? '--';
  return (
    <div className="roll-back">
      <Button
        disabled={reason !== null}
        aria-describedby={reason === null ? undefined : whyNot}
        onClick={() => {
          ask(true);
        }}
      >
        {t('products.rollBack')}
      </Button>
      {reason !== null && (
        <span className="soft" id={whyNot}>
          {t(`products.reasons.${reason}`)}
        </span>
      )}
      {isAsking && reason === null && (
        <Question
          title={t('products.rollBackTitle', { to })}
          verb={t('products.rollBack')}
          keep={t('common.cancel')}
          lines={[
            t('products.rollBackText', { from, to }),
            ...(fileTypeOf(name) === 'apk' ? [t('products.rollBackApp')] : []),
          ]}
          onClose={() => {
            ask(false);
          }}
          onConfirm={() => void rollBack({ build: build.id, insteadOf: out.id })}
        />
      )}
    </div>
  );
}
