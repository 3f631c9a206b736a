import { Link } from '@tanstack/react-router'
import { calls, type LimitState as State } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { EmptyState, ErrorState } from '../states.tsx'
import { UsagePanel } from '../usage/panel.tsx'
import { LimitState } from './limit-state.tsx'
import { whoText, windowText } from './limit-text.ts'
import classes from './limits.module.css'
import { useLimitTexts } from './messages.ts'

/** How often it is read again while it is open. */
const refreshEveryMs = 5000

const CountedBy = ({ state }: { state: State }) => {
  const say = useLimitTexts()
  return (
    <li className={classes.counted} data-full={(state.refuses && state.left <= 0) || undefined}>
      <div>
        <span className="strong">{state.name}</span>
        <span className="faint">
          {whoText(state.subjects, say)} · {say(state.measure)} {windowText(state, say)}
          {!state.refuses && ` · ${say('onlyTells')}`}
          {state.fallback_model !== '' && ` · ${say('fallsBack', { model: state.fallback_model })}`}
        </span>
      </div>
      <LimitState state={state} />
    </li>
  )
}

interface Props {
  /** The key, or a user's calls without one. */
  readonly of: { readonly key: number; readonly user?: undefined } | { readonly key?: undefined; readonly user: number }
  /** True if it is the reader's own key. */
  readonly isOwn: boolean
}

/** Every limit and budget that counts the calls of a key or a user, those closest to their end first. */
export const LimitStates = ({ of, isOwn }: Props) => {
  const say = useLimitTexts()
  const options = { refreshEveryMs, staleTimeMs: 0 }
  const query = { key: of.key ?? 0, user: of.user ?? 0 }
  const own = useEndpoint(calls.readOwnLimitStates, { query: { key: query.key } }, { ...options, enabled: isOwn })
  const any = useEndpoint(calls.readLimitStates, { query }, { ...options, enabled: !isOwn })
  const { data, error, refetch } = isOwn ? own : any
  const subject =
    of.key === undefined ? { kind: 'user', value: String(of.user) } : { kind: 'key', value: String(of.key) }
  const add = (
    <Link to="/limit" search={{ add: '1', ...subject }} className={`text-button ${classes.link}`}>
      {say('add')}
    </Link>
  )
  return (
    <UsagePanel title={say('title')} note={say('text')}>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <EmptyState icon="balance" title={say('none')} action={add} />}
      {data !== undefined && data.length > 0 && (
        <>
          <ul className={classes.list}>
            {data
              .toSorted((one, other) => one.left / one.amount - other.left / other.amount)
              .map((state) => (
                <CountedBy key={`${state.id} ${state.subject}`} state={state} />
              ))}
          </ul>
          <p className={classes.more}>
            {add}
            <Link to="/limit" className={`text-button ${classes.link}`}>
              {say('manage')}
            </Link>
          </p>
        </>
      )}
    </UsagePanel>
  )
}
