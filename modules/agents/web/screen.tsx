import { Button, Skeleton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Icon } from '#web/components/display/icon.tsx'
import { PageHeader } from '#web/components/page-header.tsx'
import { ErrorState } from '#web/components/states.tsx'
import { useSiteAddress } from '#web/lib/api/base-url.ts'
import { calls } from '#web/lib/api/contract.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import classes from './agents.module.css'
import { useAgentMessages } from './messages.ts'
import { Setup } from './setup.tsx'

const Controls = onDemand(
  async () => (await import('./controls.tsx')).Controls,
  () => (
    <div className={classes.controls} aria-busy="true">
      <Skeleton className={classes.keyPlace} />
      <Skeleton className={classes.modelsPlace} />
    </div>
  ),
)

/** Keys to choose from; those that are used daily are among the newest. */
const someTokens = { query: { p: 0, size: 100 } } as const

export const firstRead: FirstRead = (read) => {
  read(calls.listTokens, someTokens)
  read(calls.getOwnModels)
}

const listOf = (text: string | undefined): string[] => (text ? text.split(',') : [])

/** Settings of coding agents with the site's address, a key and models, ready to paste. */
export const AgentsScreen = () => {
  const say = useAgentMessages()
  const navigate = useNavigate()
  const address = useSiteAddress()
  const [search, setSearch] = useSearchParams()
  const tokens = useEndpoint(calls.listTokens, someTokens)
  const names = useEndpoint(calls.getOwnModels)
  const usable = tokens.data?.filter(({ status }) => status === 1) ?? []
  const token = Number(search.key ?? usable[0]?.id ?? 0)
  const models = listOf(search.models)
  const query = { token, models: models.join(','), address }
  const answer = useEndpoint(calls.getAgentSetups, { query }, { enabled: tokens.data !== undefined })
  const { data, error } = answer
  const shown = data?.setups.find(({ id }) => id === search.client) ?? data?.setups[0]
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={
          <Button leftSection={<Icon name="plus" size={14} />} onClick={() => void navigate({ to: '/token' })}>
            {say('createKey')}
          </Button>
        }
      />
      <Controls
        tokens={usable}
        token={token}
        onToken={(key) => setSearch({ key })}
        offered={names.data ?? []}
        models={models}
        onModels={(chosen) => setSearch({ models: chosen.join(',') })}
      />
      {error && <ErrorState error={error} onRetry={() => void answer.refetch()} />}
      {!data && !error && <Skeleton height={320} />}
      {data && (
        <fieldset className={classes.clients} aria-label={say('client')}>
          {data.setups.map(({ id, name }) => (
            <Button
              key={id}
              size="compact-sm"
              variant={id === shown?.id ? 'light' : 'default'}
              aria-pressed={id === shown?.id}
              onClick={() => setSearch({ client: id })}
            >
              {name}
            </Button>
          ))}
        </fieldset>
      )}
      {data && shown && (
        <Setup key={`${shown.id} ${token}`} setup={shown} address={data.address} token={token} masked={data.key} />
      )}
    </>
  )
}
