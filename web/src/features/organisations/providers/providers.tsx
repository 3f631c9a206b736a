import { Button, Skeleton } from '@mantine/core'
import { Icon } from '../../../components/display/icon.tsx'
import { useProviderMessages } from '../../../components/identity-providers/messages.ts'
import { ProviderList } from '../../../components/identity-providers/provider-list.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { calls, type Organisation } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { useOrganisationMessages } from '../messages.ts'
import classes from '../organisations.module.css'
import { useSheet } from '../page/sheet.ts'

/** How members sign in by identity providers of the organisation, for owners. */
export const Providers = ({ organisation }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const words = useProviderMessages()
  const sheet = useSheet()
  const { id } = organisation
  const { data, error, refetch } = useEndpoint(
    calls.listOrganisationProviders,
    { params: { id } },
    { staleTimeMs: 5000 },
  )
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton h={240} aria-busy="true" />
  const add = (): void => sheet.open('provider')
  const enforced = data.items.find((provider) => provider.enforced)
  return (
    <section className="panel" aria-label={say('providers')}>
      <div className={classes.panelHead}>
        <h2>{say('providers')}</h2>
        {data.items.length > 0 && (
          <Button leftSection={<Icon name="plus" size={14} />} onClick={add}>
            {words('add')}
          </Button>
        )}
      </div>
      <p className={`muted ${classes.panelText}`}>
        {enforced === undefined
          ? say('providersText')
          : say('providersEnforced', { name: enforced.name, domain: enforced.domains.join(', ') })}
      </p>
      <ProviderList
        owner={organisation}
        providers={data.items}
        mayChange
        onAdd={add}
        onEdit={(provider) => sheet.open(`provider-${provider}`)}
      />
    </section>
  )
}
