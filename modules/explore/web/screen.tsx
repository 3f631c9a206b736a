import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '#web/components/display/icon.tsx'
import { Menu } from '#web/components/menu/menu.tsx'
import { PageHeader } from '#web/components/page-header.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { isStaffNow, useIsStaff } from '#web/lib/api/staff.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { statusStore, useStatus } from '#web/lib/status.ts'
import { momentForPage, useTimeAnchor } from '#web/lib/time/time-anchor.ts'
import { timeZone, useTimeZone, zoneName } from '#web/lib/time/time-zone.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { useAlertMessages } from './alerts/messages.ts'
import { BoardDialog, BoardTabs } from './boards.tsx'
import { Drop } from './question/drop.tsx'
import classes from './question/explore.module.css'
import { exportReport } from './question/export-report.ts'
import { useExploreMessages } from './question/messages.ts'
import { namesIn, Question } from './question/question.tsx'
import { partsOf, reportOf } from './question/report-of.ts'
import { queryOf, readView } from './question/view.ts'
import { useBoards } from './use-boards.ts'

const AlertDialog = onDemand(async () => (await import('./alerts/alert-dialog.tsx')).AlertDialog)

const minuteMs = 60_000
/** The interval until the server's option DataExportInterval is known. */
const usualMinutes = 5

export const firstRead: FirstRead = (read, search) => {
  if (!statusStore.get().enable_data_export) return
  const view = readView(search, isStaffNow('logs'))
  read(reportOf(view), partsOf(view, queryOf(view, momentForPage(), zoneName(timeZone()))))
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
  const isAdmin = useIsStaff('logs')
  const [search, setSearch] = useSearchParams()
  const [anchor, renew] = useTimeAnchor()
  const view = readView(search, isAdmin)
  const boards = useBoards(view.mine)
  const report = useEndpoint(reportOf(view), partsOf(view, queryOf(view, anchor, zoneName(zone))), {
    enabled: status.enable_data_export,
    refreshEveryMs: usualMinutes * minuteMs,
  })
  const { data } = report
  const { shown } = namesIn(data, view, say)
  const off = !status.enable_data_export
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
          <Question
            view={view}
            report={data}
            error={report.error}
            onRetry={() => void report.refetch()}
            setSearch={setSearch}
            action={{ text: sayAlerts('alertMe'), onClick: () => setAlerting('new') }}
          />
          {saving && <BoardDialog boards={boards} isAdmin={isAdmin} onClose={() => setSaving(false)} />}
          {alerting && (
            <AlertDialog
              view={view}
              report={data}
              adding={alerting === 'new'}
              nameOf={shown}
              onClose={() => setAlerting(undefined)}
            />
          )}
        </>
      )}
    </>
  )
}
