import { Button } from '@mantine/core'
import { Icon } from '../../components/display/icon.tsx'
import records from '../../components/display/record-list.module.css'
import { newProvider, valuesOf } from '../../components/identity-providers/fields.ts'
import { useProviderMessages } from '../../components/identity-providers/messages.ts'
import { ProviderList } from '../../components/identity-providers/provider-list.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ErrorState } from '../../components/states.tsx'
import { calls, role } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'

const ProviderForm = onDemand(async () => (await import('../../components/identity-providers/form.tsx')).ProviderForm)

export const firstRead: FirstRead = (read) => read(calls.listIdentityProviders)

const Sheets = () => {
  const [search, setSearch] = useSearchParams()
  const providers = useEndpoint(calls.listIdentityProviders)
  const close = (): void => setSearch({ add: undefined, edit: undefined })
  if (search.add)
    return <ProviderForm owner="site" provider={undefined} initial={newProvider('site')} onClose={close} />
  const edited = providers.data?.find(({ id }) => String(id) === search.edit)
  if (edited === undefined) return null
  return <ProviderForm key={edited.id} owner="site" provider={edited} initial={valuesOf(edited)} onClose={close} />
}

/** Identity providers of the site; root changes them. */
export const IdentityProvidersScreen = () => {
  const say = useProviderMessages()
  const [, setSearch] = useSearchParams()
  const mayChange = (useSession()?.role ?? 0) >= role.root
  const { data, error, refetch } = useEndpoint(calls.listIdentityProviders)
  const add = (): void => setSearch({ add: '1' })
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={
          mayChange && (
            <Button data-create variant="filled" leftSection={<Icon name="plus" size={14} />} onClick={add}>
              {say('add')}
            </Button>
          )
        }
      />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <div className={records.waiting} aria-busy="true" data-waiting />}
      {data && (
        <section className="panel" aria-label={say('title')}>
          <ProviderList
            owner="site"
            providers={data}
            mayChange={mayChange}
            onAdd={add}
            onEdit={(id) => setSearch({ edit: String(id) })}
          />
        </section>
      )}
      {mayChange && <Sheets />}
    </>
  )
}
