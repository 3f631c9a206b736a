import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Figures } from '../../../components/display/figures.tsx'
import { StatusBadge, type Tone } from '../../../components/display/status-badge.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { EmptyState, ErrorState } from '../../../components/states.tsx'
import { calls, type PriceVersion } from '../../../lib/api/contract.ts'
import { download } from '../../../lib/download.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import { useSettings } from '../settings-state.ts'
import { usePriceListMessages } from './messages.ts'
import classes from './price-lists.module.css'

const SyncDialog = onDemand(async () => (await import('./sync-dialog.tsx')).SyncDialog)
const VersionSheet = onDemand(async () => (await import('./version-sheet.tsx')).VersionSheet)

const tones: Readonly<Record<PriceVersion['status'], Tone>> = {
  proposed: 'warn',
  scheduled: 'info',
  applied: 'good',
  undone: 'neutral',
  discarded: 'neutral',
}

const VersionButton = ({ version, onOpen }: { version: PriceVersion; onOpen: () => void }) => {
  const say = usePriceListMessages()
  const { status, held } = version
  return (
    <li>
      <button type="button" className={classes.version} onClick={onOpen}>
        <strong>{version.name}</strong>
        <StatusBadge tone={tones[status]} label={say(status)} />
        {status === 'proposed' && held > 0 && <StatusBadge tone="bad" label={say('held', { count: held })} />}
        {version.name !== version.source && <small>{version.source}</small>}
        <span className={classes.grow} />
        <small>
          {say('changes')} <span className="num">{version.changes}</span>
        </small>
        <small>
          <TimeText at={version.effective_from || version.created_at} /> · {version.actor_name || say('system')}
        </small>
      </button>
    </li>
  )
}

/** The price lists in force, the versions of their prices, and comparing them with other lists. */
export const PriceLists = () => {
  const say = usePriceListMessages()
  const settings = useSettings()
  const [{ version }, setSearch] = useSearchParams()
  const [syncing, setSyncing] = useState(false)
  const { data, error, refetch } = useEndpoint(calls.listPriceVersions)
  const exporting = useAction(() => download(calls.exportPrices, {}, 'prices.json'))
  const open = (id: number | undefined): void => setSearch({ version: id === undefined ? undefined : String(id) })
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton h={160} />
  return (
    <div className={classes.panel}>
      <p className="muted">{say('text')}</p>
      {settings.stored.values.get('PriceListsEnabled') === 'false' && (
        <p className={classes.warning} role="note">
          {say('off')}
        </p>
      )}
      <Figures
        figures={[
          { label: say('lists'), value: data.lists.name },
          { label: say('since'), value: <TimeText at={data.lists.since} relative /> },
          { label: say('compared'), value: <TimeText at={data.compared_at} relative /> },
        ]}
      />
      <div className={classes.bar}>
        <Button variant="filled" onClick={() => setSyncing(true)}>
          {say('sync')}
        </Button>
        <Button onClick={() => void exporting.run()} loading={exporting.busy}>
          {say('exportAll')}
        </Button>
      </div>
      {data.versions.length === 0 ? (
        <EmptyState icon="list" title={say('empty')} />
      ) : (
        <ul className={classes.versions} aria-label={say('versions')}>
          {data.versions.map((entry) => (
            <VersionButton key={entry.id} version={entry} onOpen={() => open(entry.id)} />
          ))}
        </ul>
      )}
      {syncing && <SyncDialog onClose={() => setSyncing(false)} onFound={open} />}
      {version !== undefined && <VersionSheet key={version} id={Number(version)} onClose={() => open(undefined)} />}
    </div>
  )
}
