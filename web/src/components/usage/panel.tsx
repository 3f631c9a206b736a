import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState, ErrorState } from '../states.tsx'
import type { UsageQuery } from './scope.ts'
import classes from './usage.module.css'

type PanelKind = 'chart' | 'lines' | 'list'

/** A panel of a page about one thing. */
export const UsagePanel = (props: {
  title: string
  note?: ReactNode
  /** At the right end of the head, such as which colour is what. */
  aside?: ReactNode
  /** Kind of the content; gives the panel its height while it loads. */
  kind?: PanelKind
  children: ReactNode
}) => (
  <section className={`panel ${classes.panel}`} aria-label={props.title}>
    <div className={classes.panelHead}>
      <h2>{props.title}</h2>
      {props.note && <span className="faint">{props.note}</span>}
      {props.aside && <span className={classes.aside}>{props.aside}</span>}
    </div>
    <div className={classes.body} data-kind={props.kind ?? 'list'}>
      {props.children}
    </div>
  </section>
)

/** Keeps the place of a panel whose code is on its way. */
export const WaitingPanel = ({ kind = 'list' }: { kind?: PanelKind }) => (
  <section className={`panel ${classes.panel}`} aria-busy="true">
    <div className={classes.panelHead}>
      <Skeleton h={14} w={120} />
    </div>
    <div className={classes.body} data-kind={kind} />
  </section>
)

/** A report that failed, has nothing, or is there; nothing while it loads. */
export const OfReport = (props: { report: UsageQuery; empty: string; isEmpty: boolean; children: () => ReactNode }) => {
  const { data, error, refetch } = props.report
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return null
  return props.isEmpty ? <EmptyState icon="chart" title={props.empty} /> : props.children()
}
