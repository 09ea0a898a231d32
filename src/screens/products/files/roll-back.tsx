import { useId, useState } from 'react';
import { mayRunActions, reasonAgainstRollBack, whyNotReachable } from '#rules/product.ts';
import { versionOfRelease } from '#rules/release.ts';
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
  /** Those of the product. */
  readonly builds: readonly Of<'productBuild'>[];
  /** The product's releases, newest first. */
  readonly releases: readonly Of<'productPublication'>[];
}

/** Has an earlier build released again; nothing of one that never was, or that is out now. */
export function RollBack({ product, change, build, builds, releases }: Props) {
  const t = useText();
  const find = useFind();
  const viewer = useViewer();
  const whyNot = useId();
  /** What was out when the question was put; null: it is not. */
  const [askedOf, askOf] = useState<string | null>(null);
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
  // Where something came between, the person has to begin anew.
  if (askedOf !== null && (reason !== null || askedOf !== out.id)) askOf(null);
  return (
    <div className="roll-back">
      <Button
        disabled={reason !== null}
        aria-describedby={reason === null ? undefined : whyNot}
        onClick={() => {
          askOf(out.id);
        }}
      >
        {t('products.rollBack')}
      </Button>
      {reason !== null && (
        <span className="soft" id={whyNot}>
          {t(`products.reasons.${reason}`)}
        </span>
      )}
      {askedOf === out.id && reason === null && (
        <RollBackQuestion
          product={name}
          project={project}
          versions={{
            from: versionOfRelease(out, builds) ?? '--',
            to: versionOfRelease(earlier, builds) ?? '--',
          }}
          hasNotes={earlier.releaseNotes !== null}
          isOlder={out.productBuild !== null && build.id < out.productBuild}
          onClose={() => {
            askOf(null);
          }}
          onConfirm={() => void rollBack({ build: build.id, insteadOf: out.id })}
        />
      )}
    </div>
  );
}

interface QuestionProps {
  /** The name of its definition. */
  readonly product: string;
  readonly project: Of<'project'> | null;
  readonly versions: { readonly from: string; readonly to: string };
  /** Something was said of the release that comes back. */
  readonly hasNotes: boolean;
  /** It was built before the one that is out; ids of one server grow with time. */
  readonly isOlder: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Names both versions, and says what people and phones will find. */
function RollBackQuestion({
  product,
  project,
  versions,
  hasNotes,
  isOlder,
  onClose,
  onConfirm,
}: QuestionProps) {
  const t = useText();
  const lines = [t('products.rollBackText', versions)];
  if (project !== null && whyNotReachable(project) === null)
    lines.push(t(hasNotes ? 'products.rollBackPublicNotes' : 'products.rollBackPublic'));
  if (isOlder && fileTypeOf(product) === 'apk') lines.push(t('products.rollBackApp'));
  return (
    <Question
      title={t('products.rollBackTitle', { to: versions.to })}
      verb={t('products.rollBack')}
      keep={t('common.cancel')}
      lines={lines}
      onClose={onClose}
      onConfirm={onConfirm}
    />
  );
}
