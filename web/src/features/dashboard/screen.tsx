import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import { useFigurePage } from '../../components/figure-link.ts'
import { GuidePlace } from '../../components/guide/guide-place.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { calls } from '../../lib/api/contract.ts'
import { isStaffNow, useIsStaff } from '../../lib/api/staff.ts'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useEndpoint } from '../../lib/query.ts'
import { statusStore, useStatus } from '../../lib/status.ts'
import { momentForPage, useTimeAnchor } from '../../lib/time/time-anchor.ts'
import { timeZone, useTimeZone, zoneName } from '../../lib/time/time-zone.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { ChartPanel } from './chart-panel.tsx'
import { Controls } from './controls.tsx'
import classes from './dashboard.module.css'
import { DashboardFigures } from './figures.tsx'
import { useDashboardMessages } from './messages.ts'
import { Ranking } from './ranking.tsx'
import { figureLinkOf, queryOf, readView } from './view.ts'

const minuteMs = 60_000
/** The interval until the server's option DataExportInterval is known. */
const usualMinutes = 5

// Both reports have the same shape; only who may ask differs.
const reportOf = (mine: boolean) =>
  (mine ? calls.getOwnUsageReport : calls.getUsageReport) as typeof calls.getUsageReport

export const firstRead: FirstRead = (read, search) => {
  const status = statusStore.get()
  if (!status.enable_data_export) return
  const view = readView(search, status.data_export_default_time, isStaffNow('logs'))
  read(reportOf(view.mine), { query: queryOf(view, momentForPage(), zoneName(timeZone())) })
  read(calls.getSelf)
}

/** Usage over time, by user, model or another dimension. */
export const DashboardScreen = () => {
  const say = useDashboardMessages()
  const zone = useTimeZone()
  const status = useStatus()
  const isAdmin = useIsStaff('logs')
  const [search, setSearch] = useSearchParams()
  const [anchor, renew] = useTimeAnchor()
  const figurePage = useFigurePage()
  const [minutes, setMinutes] = useState(usualMinutes)
  const view = readView(search, status.data_export_default_time, isAdmin)
  const report = useEndpoint(
    reportOf(view.mine),
    { query: queryOf(view, anchor, zoneName(zone)) },
    { enabled: status.enable_data_export, refreshEveryMs: minutes * minuteMs },
  )
  const { data, error } = report
  if (data && data.refresh_minutes !== minutes) setMinutes(data.refresh_minutes)
  const isEmpty = data !== undefined && data.totals.count === 0 && data.totals.failures === 0
  const off = !status.enable_data_export
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={
          <>
            {figurePage && (
              <Button
                component={Link}
                to={figurePage.hrefOf(figureLinkOf(view))}
                leftSection={<Icon name="trend" size={14} />}
              >
                {figurePage.label}
              </Button>
            )}
            <Button leftSection={<Icon name="refresh" size={14} />} onClick={renew}>
              {say('refresh')}
            </Button>
          </>
        }
      />
      <GuidePlace />
      {off ? (
        <div className="panel">
          <EmptyState
            icon="chart"
            title={say('offTitle')}
            text={say('offText')}
            action={isAdmin && <Link to="/setting">{say('offAction')}</Link>}
          />
        </div>
      ) : (
        <div className={classes.report} data-empty={(isEmpty && search.range === undefined) || undefined}>
          <Controls view={view} isAdmin={isAdmin} report={data} setSearch={setSearch} />
          <DashboardFigures report={data} />
          {error && !data ? (
            <div className="panel">
              <ErrorState error={error} onRetry={() => void report.refetch()} />
            </div>
          ) : isEmpty ? (
            <div className="panel">
              <EmptyState
                icon="chart"
                title={say('emptyTitle')}
                text={say('emptyText')}
                action={<Button onClick={() => setSearch({ range: '30d' })}>{say('emptyAction')}</Button>}
              />
            </div>
          ) : (
            <>
              <ChartPanel
                report={data}
                view={view}
                onRange={(from, to) => setSearch({ range: `${from}..${to - 1}`, granularity: 'hour' })}
              />
              <Ranking report={data} view={view} onOnly={(key) => setSearch({ [view.by]: key, by: undefined })} />
            </>
          )}
        </div>
      )}
    </>
  )
}
