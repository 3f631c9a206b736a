import { Link } from '@tanstack/react-router'
import { missText, useCacheMissMessages } from '#web/components/cache-miss/cache-miss.ts'
import { CopyText } from '#web/components/copy/copy-text.tsx'
import { Facts, FactsHeading } from '#web/components/display/facts.tsx'
import { Figures } from '#web/components/display/figures.tsx'
import { FineRows } from '#web/components/display/fine-rows.tsx'
import { CallQuota, Quota } from '#web/components/display/quota.tsx'
import { TimeText, useMomentText } from '#web/components/display/time/time-text.tsx'
import { ScreenParts } from '#web/components/parts/screen-parts.tsx'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { type CallSession, calls, type LogEntry, logType } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatInteger, formatPercent } from '#web/lib/text/format.ts'
import { CallTokens } from './call-tokens.tsx'
import { cacheShare } from './columns.tsx'
import { GuardMeters } from './guard-meters.tsx'
import { type SaySession, useSessionMessages } from './messages.ts'
import { clientsOf, factsOf } from './other.ts'
import classes from './sessions.module.css'

/** As many of the latest calls as the sheet shows; the log has all of them. */
const shownCalls = 100

/** Each miss with what caused it. */
const Misses = ({ logs }: { logs: readonly LogEntry[] }) => {
  const say = useSessionMessages()
  const sayMiss = useCacheMissMessages()
  const momentText = useMomentText()
  const missed = logs.flatMap((log) => {
    const miss = factsOf(log).miss
    return miss === undefined ? [] : [{ log, miss }]
  })
  if (missed.length === 0) return null
  return (
    <>
      <FactsHeading>{say('whyMissed')}</FactsHeading>
      <ul className={classes.misses}>
        {missed.map(({ log, miss }) => (
          <li key={log.id}>
            <strong>
              {miss.tokens > 0
                ? say('missedAt', { time: momentText(log.created_at), tokens: formatInteger(miss.tokens) })
                : momentText(log.created_at)}
            </strong>
            <span>{missText(miss, sayMiss)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Route of a call within its session. */
const placeText = (log: LogEntry, say: SaySession): string | undefined => {
  const { state, why } = factsOf(log)
  if (why !== undefined) return say(`why_${why}`)
  return state && say(state)
}

const Thread = ({ logs }: { logs: readonly LogEntry[] }) => {
  const say = useSessionMessages()
  const hasTools = logs.some((log) => factsOf(log).tools !== '')
  const severalModels = new Set(logs.map(({ model_name }) => model_name)).size > 1
  return (
    <ScrollFrame className={classes.scroll} label={say('thread')}>
      <table className={classes.thread} aria-label={say('thread')}>
        <thead>
          <tr>
            <th>{say('time')}</th>
            {severalModels && <th>{say('model')}</th>}
            {hasTools && <th>{say('toolsCalled')}</th>}
            <th className={classes.number}>{say('input')}</th>
            <th className={classes.number}>{say('fromCache')}</th>
            <th className={classes.number}>{say('output')}</th>
            <th className={classes.number}>{say('callCost')}</th>
            <th>{say('place')}</th>
          </tr>
        </thead>
        <tbody>
          {logs.map((log) => {
            const { cached, tools } = factsOf(log)
            const isFailed = log.type === logType.error
            const place = placeText(log, say)
            return (
              <tr key={log.id}>
                <td>
                  <Link to="/log" search={{ id: String(log.id) }}>
                    <TimeText at={log.created_at} brief />
                  </Link>
                </td>
                {severalModels && <td className={classes.model}>{log.model_name}</td>}
                {hasTools && (
                  <td className={`mono ${classes.model}`} title={tools}>
                    {tools || '–'}
                  </td>
                )}
                {isFailed ? (
                  <td colSpan={4} className={classes.failed} title={log.content}>
                    {log.content || say('failed')}
                  </td>
                ) : (
                  <>
                    <td className={`num ${classes.number}`}>{formatInteger(log.prompt_tokens)}</td>
                    <td className={`num ${classes.number}`}>
                      {log.prompt_tokens > 0 ? formatPercent(cached / log.prompt_tokens, 0) : '–'}
                    </td>
                    <td className={`num ${classes.number}`}>{formatInteger(log.completion_tokens)}</td>
                    <td className={classes.number}>
                      <CallQuota value={log.quota} />
                    </td>
                  </>
                )}
                <td className={`muted ${classes.place}`} title={place}>
                  {place}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </ScrollFrame>
  )
}

/** The latest calls of a session. */
export const useSessionCalls = ({ id }: CallSession, isAdmin: boolean) =>
  useEndpoint((isAdmin ? calls.listLogs : calls.listOwnLogs) as typeof calls.listLogs, {
    query: { session: id, page_size: shownCalls },
  })

/** One session: what it came to, why its caches were missed, and its latest calls. */
export const SessionDetails = (props: { session: CallSession; logs: readonly LogEntry[]; isAdmin: boolean }) => {
  const say = useSessionMessages()
  const { session, logs, isAdmin } = props
  const share = cacheShare(session)
  const clients = clientsOf(logs)
  const withoutCache = session.quota + session.cache_saved
  return (
    <>
      <FineRows amounts={[session.quota, session.cache_saved]}>
        <Figures
          figures={[
            { label: say('cost'), value: <Quota value={session.quota} /> },
            { label: say('withoutCache'), value: <Quota value={withoutCache} /> },
            {
              label: say('saved'),
              value: <Quota value={session.cache_saved} />,
              ...(session.cache_saved > 0
                ? { tone: 'good', unit: formatPercent(session.cache_saved / withoutCache, 0) }
                : {}),
            },
            {
              label: say('calls'),
              value: formatInteger(session.calls),
              ...(session.failures > 0 ? { unit: say('failedCount', { count: session.failures }) } : {}),
            },
          ]}
        />
      </FineRows>
      <ScreenParts place="about a session" about={session.id} />
      <CallTokens logs={logs} share={share} />
      <Misses logs={logs} />
      <GuardMeters session={session} isAdmin={isAdmin} />
      <FactsHeading>{say('thread')}</FactsHeading>
      {logs.length === 0 ? <EmptyState icon="list" title={say('noCalls')} /> : <Thread logs={logs} />}
      <Facts
        facts={[
          { label: say('session'), value: <CopyText text={session.id} name={say('session')} /> },
          clients !== '' && { label: say('client'), value: clients },
          isAdmin && { label: say('user'), value: session.username },
          session.token_name !== '' && { label: say('key'), value: session.token_name },
          { label: say('started'), value: <TimeText at={session.first_time} /> },
          { label: say('last'), value: <TimeText at={session.last_time} /> },
          session.missed_tokens > 0 && {
            label: say('missed'),
            value: <span className="num">{formatInteger(session.missed_tokens)}</span>,
          },
          session.cache_lost > 0 && { label: say('lost'), value: <Quota value={session.cache_lost} /> },
        ]}
      />
    </>
  )
}
