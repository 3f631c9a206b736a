import { Figures } from '../../../components/display/figures.tsx'
import { Quota, useWholeText } from '../../../components/display/quota.tsx'
import type { Organisation } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useStatus } from '../../../lib/status.ts'
import { useTimeAnchor } from '../../../lib/time/time-anchor.ts'
import { daysLeft, forecastOf, toneOf, willReach } from '../forecast.ts'
import { useOrganisationMessages } from '../messages.ts'
import classes from './overview.module.css'
import { useSpendMessages } from './spend-messages.ts'
import { MemberSpend, ProjectSpend } from './spend-tables.tsx'

const KeyLimits = onDemand(async () => (await import('./key-limits.tsx')).KeyLimits)
const MonthSpend = onDemand(
  async () => (await import('./month-spend.tsx')).MonthSpend,
  () => <div className={`panel ${classes.waiting}`} aria-busy="true" />,
)

/** Balance and spending of the organisation, and caps that are nearly reached. */
export const Overview = ({ organisation, ofSite }: { organisation: Organisation; ofSite: boolean }) => {
  const say = useOrganisationMessages()
  const saySpend = useSpendMessages()
  const wholeText = useWholeText()
  const { enable_data_export: isSummed } = useStatus()
  const [now] = useTimeAnchor()
  const { balance, spent, members, projects } = organisation
  const readsAll = balance !== null
  const days = daysLeft(balance ?? 0, spent, now)
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
                  unit: days === undefined ? undefined : saySpend('lastsDays', { days, count: days }),
                  ...(balance <= 0 && { tone: 'bad' as const }),
                },
              ]
            : []),
          { label: readsAll ? say('spentMonth') : saySpend('spentOwn'), value: <Quota value={spent} /> },
          { label: saySpend('forecast'), value: <span className="num">{wholeText(forecastOf(spent, now))}</span> },
          ...(readsAll
            ? [
                {
                  label: saySpend('willReach'),
                  value: near.length,
                  unit: names(near) || undefined,
                  ...(near.length > 0 && { tone: 'warn' as const }),
                },
                {
                  label: saySpend('reached'),
                  value: reached.length,
                  unit: names(reached) || undefined,
                  ...(reached.length > 0 && { tone: 'bad' as const }),
                },
              ]
            : []),
        ]}
      />
      <div className={classes.grid}>
        <div className={classes.column}>
          {/* Administrators of the site are no members, and ask the figures of the site. */}
          {readsAll && isSummed && !ofSite && <MonthSpend organisation={organisation} />}
          <MemberSpend organisation={organisation} />
        </div>
        <div className={classes.column}>
          <ProjectSpend organisation={organisation} />
          {!ofSite && <KeyLimits organisation={organisation} />}
        </div>
      </div>
    </>
  )
}
