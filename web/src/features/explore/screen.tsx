import { Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import { Drop } from '../../components/explore/drop.tsx'
import classes from '../../components/explore/explore.module.css'
import { exportReport } from '../../components/explore/export-report.ts'
import { useExploreMessages } from '../../components/explore/messages.ts'
import { namesIn, Question } from '../../components/explore/question.tsx'
import { partsOf, reportOf } from '../../components/explore/report-of.ts'
import { queryOf, readView } from '../../components/explore/view.ts'
import { Menu } from '../../components/menu/menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/states.tsx'
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
