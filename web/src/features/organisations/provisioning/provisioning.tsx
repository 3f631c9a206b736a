import { Select, Skeleton } from '@mantine/core'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { Facts } from '../../../components/display/facts.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { calls, type DataOf, type getProvisioning, type Organisation } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { useOrganisationMessages } from '../messages.ts'
import { GroupPlaces } from './groups.tsx'
import { LatestCalls } from './latest-calls.tsx'
import { useProvisioningMessages } from './messages.ts'
import classes from './provisioning.module.css'
import { Tokens } from './tokens.tsx'

export type ProvisioningView = DataOf<typeof getProvisioning>

const roles = ['member', 'viewer', 'none'] as const

const Connection = ({ id, view }: { id: number; view: ProvisioningView }) => {
  const say = useProvisioningMessages()
  const words = useOrganisationMessages()
  const save = useAction(calls.setProvisioning, {
    refresh: [calls.getProvisioning, calls.getOrganisation],
    done: say('roleSaved'),
  })
  const base = view.server_address || location.origin
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
        data={roles.map((role) => ({ value: role, label: role === 'none' ? say('roleNone') : words(role) }))}
        onChange={(text) => {
          const role = roles.find((one) => one === text)
          if (role !== undefined && role !== view.role) void save.run({ params: { id }, body: { role } })
        }}
      />
    </section>
  )
}

/** What an identity provider keeps in the organisation, and how it is connected. */
export const Provisioning = ({ organisation }: { organisation: Organisation }) => {
  const { id } = organisation
  const { data, error, refetch } = useEndpoint(calls.getProvisioning, { params: { id } }, { staleTimeMs: 5000 })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton h={320} aria-busy="true" />
  return (
    <div className={classes.parts}>
      <Connection id={id} view={data} />
      <Tokens id={id} tokens={data.tokens} />
      <GroupPlaces organisation={organisation} groups={data.groups} />
      <LatestCalls calls={data.calls} />
    </div>
  )
}
