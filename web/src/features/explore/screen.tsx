import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import type { ExploreAnswer, ExploreDimension } from '../../lib/api/contract.ts'
import { isStaffNow, useIsStaff } from '../../lib/api/staff.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useEndpoint } from '../../lib/query.ts'
import { statusStore, useStatus } from '../../lib/status.ts'
import { momentForPage, useTimeAnchor } from '../../lib/time/time-anchor.ts'
import { timeZone, useTimeZone, zoneName } from '../../lib/time/time-zone.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { useAlertMessages } from './alerts/messages.ts'
import { BoardDialog, BoardTabs } from './boards.tsx'
import { ChartPanel } from './chart-panel.tsx'
import { Drop } from './drop.tsx'
import classes from './explore.module.css'
import { exportReport } from './export-report.ts'
import { logSearchOf } from './log-search.ts'
import { useExploreMessages } from './messages.ts'
import { nameOf } from './names.ts'
import { reportOf } from './report-of.ts'
import { Sentence } from './sentence.tsx'
import { useBoards } from './use-boards.ts'
import { queryOf, readView, withFilter } from './view.ts'

const AlertDialog = onDemand(async () => (await import('./alerts/alert-dialog.tsx')).AlertDialog)

const minuteMs = 60_000
/** The interval until the server's option DataExportInterval is known. */
const usualMinutes = 5

export const firstRead: FirstRead = (read, search) => {
  if (!statusStore.get().enable_data_export) return
  const view = readView(search, isStaffNow('logs'))
  read(reportOf(view.mine), { query: queryOf(view, momentForPage(), zoneName(timeZone())) })
}

/** The name of a value that a filter names, where the answer says it. */
const knownName = (
  report: ExploreAnswer | undefined,
  view: { by: ExploreDimension; second: ExploreDimension | undefined },
) => {
  const rows = report?.rows ?? []
  return (dimension: ExploreDimension, key: string): string => {
    const among = dimension === view.by ? rows : dimension === view.second ? rows.flatMap((row) => row.rows) : []
    return among.find((row) => row.key === key && !row.rest)?.name ?? ''
  }
}

/** Any figure by any two things, over any time. */
export const ExploreScreen = () => {
  const say = useExploreMessages()
  const sayAlerts = useAlertMessages()
  /** The dialog with alerts, and whether it begins with a new one. */
  const [alerting, setAlerting] = useState<'list' | 'new'>()
  const [saving, setSaving] = useState(false)
  const zone = useTimeZone()
  const status = useStatus()
  const navigate = useNavigate()
  const isAdmin = useIsStaff('logs')
  const [search, setSearch] = useSearchParams()
  const [anchor, renew] = useTimeAnchor()
  const view = readView(search, isAdmin)
  const boards = useBoards(view.mine)
  const report = useEndpoint(
    reportOf(view.mine),
    { query: queryOf(view, anchor, zoneName(zone)) },
    { enabled: status.enable_data_export, refreshEveryMs: usualMinutes * minuteMs },
  )
  const { data, error } = report
  const named = knownName(data, view)
  const isText = (dimension: ExploreDimension): boolean => dimension === 'model' || dimension === 'group'
  const shownName = (dimension: ExploreDimension, key: string): string =>
    nameOf(dimension, { key, name: isText(dimension) ? key : named(dimension, key) }, say)
  const logName = (dimension: ExploreDimension, key: string): string =>
    isText(dimension) ? key : named(dimension, key)
  const openLog = (from: number, to: number): void => {
    const found = logSearchOf({ from, to: to - 1 }, [], view.filters, logName)
    void navigate({ to: '/log', search: found as never })
  }
  const off = !status.enable_data_export
  const isEmpty = data !== undefined && data.total.calls === 0 && !data.total.value
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={
          !off && (
            <>
              {isAdmin && (
                <Drop
                  word={say('scope')}
                  value={view.mine ? 'mine' : 'everybody'}
                  choices={[
                    { value: 'everybody', label: say('everybody') },
                    { value: 'mine', label: say('mine') },
                  ]}
                  onChange={(scope) => setSearch({ mine: scope === 'mine' ? '1' : undefined })}
                />
              )}
              <Menu
                width={180}
                button={(buttonProps) => (
                  <button type="button" className={classes.add} aria-label={say('more')} {...buttonProps}>
                    <Icon name="more" size={14} />
                  </button>
                )}
                entries={() => [
                  { label: say('saveBoard'), icon: 'plus', onClick: () => setSaving(true) },
                  { label: say('refresh'), icon: 'refresh', onClick: renew },
                  {
                    label: say('export'),
                    icon: 'download',
                    disabled: data === undefined,
                    onClick: () => data && exportReport(data, view, zone, say),
                  },
                  { label: sayAlerts('alerts'), icon: 'warning', onClick: () => setAlerting('list') },
                  { label: say('dashboard'), icon: 'chart', to: '/detail' },
                ]}
              />
              <Button className={classes.save ?? ''} variant="filled" onClick={() => setSaving(true)}>
                {say('saveBoard')}
              </Button>
            </>
          )
        }
      />
      {off ? (
        <div className="panel">
          <EmptyState icon="chart" title={say('offTitle')} text={say('offText')} />
        </div>
      ) : (
        <>
          <BoardTabs boards={boards} isAdmin={isAdmin} />
          <Sentence view={view} setSearch={setSearch} nameOf={shownName} />
          {error && !data ? (
            <div className="panel">
              <ErrorState error={error} onRetry={() => void report.refetch()} />
            </div>
          ) : isEmpty ? (
            <div className="panel">
              <EmptyState
                icon="chart"
                title={say(view.filters.length > 0 ? 'emptyFiltered' : 'empty')}
                action={
                  view.filters.length > 0 ? (
                    <Button onClick={() => setSearch({ filter: undefined })}>{say('clearFilters')}</Button>
                  ) : (
                    <Button onClick={() => setSearch({ range: '30d', every: undefined })}>{say('longer')}</Button>
                  )
                }
              />
            </div>
          ) : (
            <ChartPanel
              report={data}
              view={view}
              nameOf={logName}
              onBrush={openLog}
              onAlert={() => setAlerting('new')}
              onTop={(top) => setSearch({ top })}
              onOnly={(dimension, key) =>
                setSearch({ filter: withFilter(view.filters, undefined, { dimension, is: 'is', values: [key] }) })
              }
            />
          )}
          {saving && <BoardDialog boards={boards} isAdmin={isAdmin} onClose={() => setSaving(false)} />}
          {alerting && (
            <AlertDialog
              view={view}
              report={data}
              adding={alerting === 'new'}
              nameOf={shownName}
              onClose={() => setAlerting(undefined)}
            />
          )}
        </>
      )}
    </>
  )
}
