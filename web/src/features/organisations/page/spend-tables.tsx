import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Meter } from '../../../components/display/meter.tsx'
import { Quota, useQuotaText } from '../../../components/display/quota.tsx'
import { ScrollFrame } from '../../../components/scroll-frame.tsx'
import { EmptyState } from '../../../components/states.tsx'
import type { Organisation, SpendCap } from '../../../lib/api/contract.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { useTimeAnchor } from '../../../lib/time/time-anchor.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import { periodText } from '../cap-cell.tsx'
import { forecastOf, willReach } from '../forecast.ts'
import { roleText } from '../member-text.ts'
import { useOrganisationMessages } from '../messages.ts'
import classes from '../organisations.module.css'
import own from './overview.module.css'
import { useSpendMessages } from './spend-messages.ts'

interface Spending {
  readonly spent: number | null
  readonly cap: SpendCap | null
}

/** Most lines of a list here; its tab has all of them. */
const mostLines = 8

/** Members or projects whose spending the reader may see, the most first. */
const byCost = <Line extends Spending>(lines: readonly Line[]): Line[] =>
  lines.filter(({ spent }) => spent !== null).sort((a, b) => (b.spent ?? 0) - (a.spent ?? 0))

const SpendPanel = (props: {
  id: number
  tab: 'members' | 'projects'
  title: string
  isEmpty: boolean
  children: ReactNode
}) => {
  const say = useOrganisationMessages()
  const saySpend = useSpendMessages()
  const [search] = useSearchParams()
  return (
    <div className="panel">
      <div className={classes.panelHead}>
        <h2>{props.title}</h2>
        <Link
          to="/organisation/$id"
          params={{ id: String(props.id) }}
          search={{ ...(search.site && { site: search.site }), tab: props.tab }}
        >
          {say(props.tab)}
        </Link>
      </div>
      {props.isEmpty ? (
        <EmptyState icon="chart" title={saySpend('noSpend')} text={saySpend('noSpendText')} />
      ) : (
        <ScrollFrame className={own.scroll} label={props.title}>
          {props.children}
        </ScrollFrame>
      )}
    </div>
  )
}

/** How much of a cap is used, as a bar; the figures behind it are read out. */
const OfCap = ({ cap }: { cap: SpendCap | null }) => {
  const say = useOrganisationMessages()
  const quotaText = useQuotaText()
  if (cap === null) return <span className="faint">{say('noCap')}</span>
  const period = periodText(cap.period, say)
  return (
    <span className={own.meter}>
      <Meter used={cap.amount === 0 ? 1 : cap.spent / cap.amount} />
      <span className="visually-hidden">
        {say('capOf', { spent: quotaText(cap.spent), amount: quotaText(cap.amount), period })}
      </span>
    </span>
  )
}

const CapAmount = ({ cap }: { cap: SpendCap | null }) => {
  const say = useOrganisationMessages()
  if (cap === null) return '—'
  return (
    <>
      <Quota value={cap.amount} />
      {cap.period !== 'month' && <span className="faint"> {periodText(cap.period, say)}</span>}
    </>
  )
}

const sumOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)

/** Spending of members in this month, its forecast, and the used share of their caps. */
export const MemberSpend = ({ organisation }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const saySpend = useSpendMessages()
  const [now] = useTimeAnchor()
  const { id, members, balance, spent } = organisation
  const lines = byCost(members)
  const shown = lines.slice(0, mostLines)
  // That nothing was spent is not what a reader learns who may not see it.
  if (lines.length === 0 && members.length > 0) return null
  return (
    <SpendPanel id={id} tab="members" title={saySpend('byMember')} isEmpty={lines.length === 0}>
      <table className={`${own.table} num`} aria-label={saySpend('byMember')}>
        <thead>
          <tr>
            <th>{say('member')}</th>
            <th className={own.wide}>{say('role')}</th>
            <th className={`${own.number} ${own.wide}`}>{say('keys')}</th>
            <th className={own.number}>{saySpend('monthSpend')}</th>
            <th>{saySpend('ofCap')}</th>
            <th className={`${own.number} ${own.broad}`}>{say('cap')}</th>
            <th className={`${own.number} ${own.wide}`}>{saySpend('forecastShort')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((member) => {
            const name = member.display_name || member.username
            return (
              <tr key={member.user_id}>
                <td>
                  <span className={own.who}>
                    <span className={own.letter} aria-hidden="true">
                      {[...name][0]?.toUpperCase()}
                    </span>
                    <span title={name}>{name}</span>
                  </span>
                </td>
                <td className={`muted ${own.wide}`}>{roleText(member, organisation, say)}</td>
                <td className={`${own.number} ${own.wide}`}>{formatInteger(member.keys)}</td>
                <td className={`strong ${own.number}`}>
                  <Quota value={member.spent ?? 0} />
                </td>
                <td>
                  <OfCap cap={member.cap} />
                </td>
                <td className={`${own.number} ${own.broad}`}>
                  <CapAmount cap={member.cap} />
                </td>
                <td className={`${own.number} ${own.wide} ${willReach(member.cap, now) ? own.over : ''}`}>
                  <Quota value={forecastOf(member.spent ?? 0, now)} />
                </td>
              </tr>
            )
          })}
        </tbody>
        {balance !== null && lines.length === shown.length && (
          <tfoot>
            <tr>
              <td>{saySpend('sum')}</td>
              <td className={own.wide} />
              <td className={`${own.number} ${own.wide}`}>{formatInteger(sumOf(members.map(({ keys }) => keys)))}</td>
              <td className={own.number}>
                <Quota value={spent} />
              </td>
              <td />
              <td className={own.broad} />
              <td className={`${own.number} ${own.wide}`}>
                <Quota value={forecastOf(spent, now)} />
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </SpendPanel>
  )
}

/** The same about projects, in less room. */
export const ProjectSpend = ({ organisation }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const saySpend = useSpendMessages()
  const { id, projects } = organisation
  const lines = byCost(projects)
  if (lines.length === 0 && projects.length > 0) return null
  return (
    <SpendPanel id={id} tab="projects" title={saySpend('byProject')} isEmpty={lines.length === 0}>
      <table className={`${own.table} num`} data-narrow aria-label={saySpend('byProject')}>
        <thead>
          <tr>
            <th>{say('project')}</th>
            <th>{saySpend('ofCap')}</th>
            <th className={own.number}>{saySpend('monthSpend')}</th>
            <th className={`${own.number} ${own.broad}`}>{say('cap')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, mostLines).map((project) => (
            <tr key={project.id}>
              <td>
                <span className={own.who}>
                  <span title={project.name}>{project.name}</span>
                </span>
              </td>
              <td>
                <OfCap cap={project.cap} />
              </td>
              <td className={`strong ${own.number}`}>
                <Quota value={project.spent ?? 0} />
              </td>
              <td className={`muted ${own.number} ${own.broad}`}>
                <CapAmount cap={project.cap} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </SpendPanel>
  )
}
