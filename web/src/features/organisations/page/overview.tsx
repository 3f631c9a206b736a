import { Link } from '@tanstack/react-router'
import { Figures } from '../../../components/display/figures.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { ScrollFrame } from '../../../components/scroll-frame.tsx'
import { EmptyState } from '../../../components/states.tsx'
import type { Organisation, SpendCap } from '../../../lib/api/contract.ts'
import { useTimeAnchor } from '../../../lib/time/time-anchor.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import { CapCell } from '../cap-cell.tsx'
import { forecastOf, toneOf, willReach } from '../forecast.ts'
import { useOrganisationMessages } from '../messages.ts'
import classes from '../organisations.module.css'

interface Line {
  readonly id: number
  readonly name: string
  readonly spent: number | null
  readonly cap: SpendCap | null
}

/** Most lines of a list here; its tab has all of them. */
const mostLines = 8

/** Whose spending the reader may see, the most first. */
const byCost = (lines: readonly Line[]): Line[] =>
  lines.filter(({ spent }) => spent !== null).sort((a, b) => (b.spent ?? 0) - (a.spent ?? 0))

const SpendTable = (props: { id: number; tab: 'members' | 'projects'; title: string; lines: readonly Line[] }) => {
  const say = useOrganisationMessages()
  const [search] = useSearchParams()
  const lines = byCost(props.lines).slice(0, mostLines)
  // Nothing was spent is not what a reader learns who may not see it.
  if (lines.length === 0 && props.lines.length > 0) return null
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
      {lines.length === 0 ? (
        <EmptyState icon="chart" title={say('noSpend')} text={say('noSpendText')} />
      ) : (
        <ScrollFrame className={classes.scroll} label={props.title}>
          <table className={`${classes.table} num`} aria-label={props.title}>
            <thead>
              <tr>
                <th>{say('name')}</th>
                <th className={classes.number}>{say('spentMonth')}</th>
                <th className={classes.wide}>{say('cap')}</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={line.id}>
                  <td className="strong">{line.name}</td>
                  <td className={classes.number}>
                    <Quota value={line.spent ?? 0} />
                  </td>
                  <td className={classes.wide}>
                    <CapCell cap={line.cap} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollFrame>
      )}
    </div>
  )
}

/** What the organisation has and spends, and which caps are near. */
export const Overview = ({ organisation }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const [now] = useTimeAnchor()
  const { id, balance, spent, members, projects } = organisation
  const readsAll = balance !== null
  const lines = [
    ...members.map((one) => ({ name: one.display_name || one.username, cap: one.cap })),
    ...projects.map(({ name, cap }) => ({ name, cap })),
  ]
  const near = lines.filter(({ cap }) => willReach(cap, now))
  const reached = lines.filter(({ cap }) => cap !== null && toneOf(cap) === 'bad')
  const names = (found: typeof lines): string => found.map(({ name }) => name).join(', ')
  return (
    <>
      <Figures
        notesBelow
        figures={[
          ...(readsAll
            ? [
                {
                  label: say('wallet'),
                  value: <Quota value={balance} />,
                  ...(balance <= 0 && { tone: 'bad' as const }),
                },
              ]
            : []),
          { label: say(readsAll ? 'spentMonth' : 'spentOwn'), value: <Quota value={spent} /> },
          { label: say('forecast'), value: <Quota value={forecastOf(spent, now)} /> },
          ...(readsAll
            ? [
                {
                  label: say('willReach'),
                  value: near.length,
                  unit: names(near) || undefined,
                  ...(near.length > 0 && { tone: 'warn' as const }),
                },
                {
                  label: say('reached'),
                  value: reached.length,
                  unit: names(reached) || undefined,
                  ...(reached.length > 0 && { tone: 'bad' as const }),
                },
              ]
            : []),
        ]}
      />
      <div className={classes.two}>
        <SpendTable
          id={id}
          tab="members"
          title={say('byMember')}
          lines={members.map((one) => ({ ...one, id: one.user_id, name: one.display_name || one.username }))}
        />
        <SpendTable id={id} tab="projects" title={say('byProject')} lines={projects} />
      </div>
    </>
  )
}
