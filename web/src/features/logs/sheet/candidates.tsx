import { Link } from '@tanstack/react-router'
import { FactsHeading } from '../../../components/display/facts.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { usePageLeads } from '../../../components/page.ts'
import { ScrollFrame } from '../../../components/scroll-frame.tsx'
import { calls, type LogEntry, type RouteCandidate, type RouteTrace } from '../../../lib/api/contract.ts'
import { useIsStaff } from '../../../lib/api/staff.ts'
import { defineMessages, textIn, useLanguage } from '../../../lib/i18n.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { attemptsOf, otherOf } from '../other.ts'
import classes from './log-sheet.module.css'

const useCandidateMessages = defineMessages('log-candidates', {
  zh: {
    title: '为何选择此渠道',
    channel: '候选渠道',
    priority: '优先级',
    weight: '权重',
    latency: '首字',
    cost: '成本',
    least_busy: '负载',
    outcome: '结果',
    answered: '已应答',
    movedOn: '{{status}}，已切换渠道',
    noAnswer: '无响应',
    cut: '另一渠道更快',
    chosen: '首选',
    lower_priority: '优先级较低',
    in_trouble: '冷却中',
    at_limit: '已达到限额',
    nothing_left: '上游额度已用完',
    too_long: '提示过长',
    below_cost: '低于成本',
    not_drawn: '未按权重抽中',
    not_best: '其他渠道更优',
    more: '另有 {{count}} 个候选渠道',
  },
  en: {
    title: 'Why this channel',
    channel: 'Candidate',
    priority: 'Priority',
    weight: 'Weight',
    latency: 'First token',
    cost: 'Cost',
    least_busy: 'Load',
    outcome: 'Outcome',
    answered: 'answered',
    movedOn: '{{status}}, failed over',
    noAnswer: 'no response',
    cut: 'another was faster',
    chosen: 'selected first',
    lower_priority: 'lower priority',
    in_trouble: 'cooling down',
    at_limit: 'at its limit',
    nothing_left: 'provider limit used up',
    too_long: 'prompt too long',
    below_cost: 'below cost',
    not_drawn: 'not picked by weight',
    not_best: 'another ranked higher',
    more_one: 'and {{count}} candidate more',
    more_other: 'and {{count}} candidates more',
  },
})

type SayCandidate = typeof useCandidateMessages.say

/** Costs of a sample call come with six more digits. */
const sampleScale = 1_000_000
/** As many channels as one answer has. */
const mostNames = 100

const Score = ({ choice, score }: { choice: RouteTrace['choice']; score: number | undefined }) => {
  if (score === undefined) return '—'
  if (choice === 'latency') return `${(score / 1000).toFixed(2)} s`
  if (choice === 'cost') return <Quota value={Math.round(score / sampleScale)} />
  return score.toFixed(2)
}

/** Outcome of a candidate: the result of its attempt, or the reason why it had none. */
const outcomeOf = (
  { id, why }: RouteCandidate,
  log: LogEntry,
  say: SayCandidate,
): { text: string; tone?: 'good' | 'bad' } => {
  const tried = attemptsOf(log).filter(({ channel }) => channel === id)
  if (tried.some(({ error, cancelled }) => error === '' && cancelled !== true))
    return { text: say('answered'), tone: 'good' }
  const [last] = tried.slice(-1)
  if (last?.cancelled === true) return { text: say('cut') }
  if (last !== undefined)
    return { text: say('movedOn', { status: last.status > 0 ? String(last.status) : say('noAnswer') }), tone: 'bad' }
  return { text: say(why) }
}

/** Names of channels by id: those that were tried are in the log itself, the others are read where the reader may. */
const useNames = (log: LogEntry): ((id: number) => string) => {
  const mayRead = useIsStaff('channels')
  const query = { p: 1, page_size: mostNames }
  const { data } = useEndpoint(calls.browseChannels, { query }, { enabled: mayRead, staleTimeMs: 60_000 })
  const tried = new Map(attemptsOf(log).map(({ channel, channel_name }) => [channel, channel_name]))
  return (id) => tried.get(id) || data?.items.find((channel) => channel.id === id)?.name || `#${id}`
}

const Table = ({ log, route }: { log: LogEntry; route: RouteTrace }) => {
  const say = useCandidateMessages()
  const nameOf = useNames(log)
  const { candidates = [], choice = 'priority', more = 0 } = route
  return (
    <>
      <ScrollFrame className={classes.receiptFrame} label={say('title')}>
        <table className={`num ${classes.receipt} ${classes.candidates}`} aria-label={say('title')}>
          <thead>
            <tr>
              <th scope="col">{say('channel')}</th>
              <th scope="col">{say('priority')}</th>
              <th scope="col">{say('weight')}</th>
              {choice !== 'priority' && <th scope="col">{say(choice)}</th>}
              <th scope="col">{say('outcome')}</th>
            </tr>
          </thead>
          <tbody>
            {candidates.map((candidate) => {
              const { text, tone } = outcomeOf(candidate, log, say)
              return (
                <tr key={candidate.id}>
                  <td className={tone === undefined ? undefined : 'strong'}>{nameOf(candidate.id)}</td>
                  <td>{candidate.priority}</td>
                  <td>{candidate.weight}</td>
                  {choice !== 'priority' && (
                    <td>
                      <Score choice={choice} score={candidate.score} />
                    </td>
                  )}
                  <td data-tone={tone}>{text}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </ScrollFrame>
      {more > 0 && <p className={classes.note}>{say('more', { count: more })}</p>}
    </>
  )
}

/** The channels that could have got the call, and why each did or did not; for operators. */
export const Candidates = ({ log }: { log: LogEntry }) => {
  const say = useCandidateMessages()
  const mayExplain = useIsStaff('channels')
  const language = useLanguage()
  const leads = usePageLeads()
  const route = otherOf(log).admin_info?.route
  if (route?.candidates === undefined || route.candidates.length === 0) return null
  return (
    <>
      <FactsHeading
        aside={
          mayExplain &&
          leads.map(
            ({ path, leadsFrom: { candidates } }) =>
              candidates && (
                <Link
                  key={path}
                  to={path as '/'}
                  search={{ tab: 'explain', model: log.model_name, group: log.group } as never}
                >
                  {textIn(candidates, language)}
                </Link>
              ),
          )
        }
      >
        {say('title')}
      </FactsHeading>
      <Table log={log} route={route} />
    </>
  )
}
