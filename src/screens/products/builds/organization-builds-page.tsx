import { limits } from '#protocol/limits.ts';
import { mayAdminister } from '#rules/organization.ts';
import { useOrganization } from '#session/organization.ts';
import { useViewer } from '#data/react/hooks.ts';
import { PageHead } from '#ui/page/page-head.tsx';
import { useText } from '#ui/text/text.ts';
import { useSetting } from '#ui/ui-environment.tsx';
import { LatePart, loadWithTexts } from '../../app/page/late/late-part.tsx';
import { usePageTitle } from '../../app/page/page-title.ts';
import { NoBuilds } from '../no-builds.tsx';
import { BuildsOf } from './builds-of.tsx';

const loadFigures = loadWithTexts(
  async () => (await import('./organization-figures.tsx')).OrganizationFigures,
);

/** `/builds`: every build of the organization in view, or of all, the newest first. */
export function OrganizationBuildsPage() {
  const t = useText();
  const viewer = useViewer();
  const organization = useOrganization();
  const title = t('builds.title');
  usePageTitle(title);
  return (
    <div className="stack builds-page">
      <PageHead title={title} />
      {organization !== null && mayAdminister(viewer, organization) && (
        <Figures organization={organization} />
      )}
      <BuildsOf
        key={organization}
        scope={{ of: 'organization', id: organization }}
        empty={<NoBuilds project={null}>{t('builds.emptyText')}</NoBuilds>}
      />
    </div>
  );
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Charts that are asked for once they are opened; this device keeps whether they are. */
function Figures({ organization }: { readonly organization: string }) {
  const t = useText();
  const [isOpen, setOpen] = useSetting('slipway.builds.figures', false, isBoolean);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary className="builds-figures-title">
        {t('builds.figures.title', { number: limits.buildFigureWeeks })}
      </summary>
      {isOpen && <LatePart load={loadFigures} props={{ organization }} />}
    </details>
  );
}
