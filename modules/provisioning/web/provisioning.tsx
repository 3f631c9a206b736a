import { Select, Skeleton } from '@mantine/core'
import { CopyText } from '#web/components/copy/copy-text.tsx'
import { Facts } from '#web/components/display/facts.tsx'
import type { OrganisationTabProps } from '#web/components/parts/organisation-tab.ts'
import { ErrorState } from '#web/components/states.tsx'
import { calls, type DataOf, type getProvisioning } from '#web/lib/api/contract.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { ownAddress } from '#web/lib/url/page-paths.ts'
import { GroupPlaces } from './groups.tsx'
import { LatestCalls } from './latest-calls.tsx'
import { useProvisioningMessages } from './messages.ts'
import classes from './provisioning.module.css'
import { Tokens } from './tokens.tsx'

export type ProvisioningView = DataOf<typeof getProvisioning>

const provisionedRoles = ['member', 'viewer', 'none'] as const

const Connection = ({
  id,
  roles,
  view,
}: Pick<OrganisationTabProps, 'roles'> & { id: number; view: ProvisioningView }) => {
  const say = useProvisioningMessages()
  const save = useAction(calls.setProvisioning, {
    refresh: [calls.getProvisioning, calls.getOrganisation],
    done: say('roleSaved'),
  })
  const base = view.server_address || ownAddress()
  return (
    <section className={`panel ${classes.connection}`} aria-label={say('connection')}>
      <h2>{say('connection')}</h2>
      <p className="muted">{say('connectionText')}</p>
      <div>
        <h3>{say('address')}</h3>
        <CopyText text={`${base}${view.path}`} name={say('address')} />
      </div>
      {view.proved_domain === '' && <p className="warn">{say('domainNone')}</p>}
      <Facts
        facts={[
          view.proved_domain !== '' && { label: say('domain'), value: view.proved_domain },
          { label: say('people'), value: formatInteger(view.people) },
          view.suspended > 0 && { label: say('deactivated'), value: formatInteger(view.suspended) },
        ]}
      />
      <Select
        className={classes.role}
        label={say('role')}
        description={say('roleText')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDeselect={false}
        disabled={save.busy}
        value={view.role}
        data={provisionedRoles.map((role) => ({
          value: role,
          label: role === 'none' ? say('roleNone') : roles.name(role),
        }))}
        onChange={(text) => {
          const role = provisionedRoles.find((one) => one === text)
          if (role !== undefined && role !== view.role) void save.run({ params: { id }, body: { role } })
        }}
      />
    </section>
  )
}

/** Provisioning of the organisation: its connection to the identity provider, and what the provider maintains. */
export const Provisioning = ({ organisation, roles }: OrganisationTabProps) => {
  const { id } = organisation
  // The domain may have been proved a moment ago, on another tab.
  const { data, error, refetch } = useEndpoint(calls.getProvisioning, { params: { id } }, { staleTimeMs: 0 })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton h={320} aria-busy="true" />
  return (
    <div className={classes.parts}>
      <Connection id={id} roles={roles} view={data} />
      <Tokens id={id} tokens={data.tokens} />
      <GroupPlaces organisation={organisation} roles={roles} groups={data.groups} />
      <LatestCalls calls={data.calls} />
    </div>
  )
}
