import { Autocomplete, NativeSelect, NumberInput, Skeleton, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Quota } from '#web/components/display/quota.tsx'
import { StatusBadge } from '#web/components/display/status-badge.tsx'
import { FoundSelect } from '#web/components/limits/search-select.tsx'
import { Logo } from '#web/components/logo/logo.tsx'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import { ErrorState } from '#web/components/states.tsx'
import { calls, type DataOf, type ExplainedTarget, type explainRoute } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatInteger, formatPercent } from '#web/lib/text/format.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { useRouteMessages } from './messages.ts'
import classes from './routes.module.css'

type Explained = DataOf<typeof explainRoute>

/** Costs of a sample call come with six more digits. */
const sampleScale = 1_000_000

type Choice = Explained['choice']

/** Score of the comparison, in the unit of the choice. */
const Score = ({ choice, score }: { choice: Choice; score: number | undefined }) => {
  if (score === undefined) return '—'
  if (choice === 'latency') return `${formatInteger(Math.round(score))} ms`
  if (choice === 'cost') return <Quota value={Math.round(score / sampleScale)} />
  return score.toFixed(2)
}

const Channels = ({ target, choice }: { target: ExplainedTarget; choice: Choice }) => {
  const say = useRouteMessages()
  if (target.channels.length === 0) return <p className="faint">{say('noChannel')}</p>
  return (
    <ScrollFrame label={target.model} className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{say('channel')}</th>
            <th>{say('reason')}</th>
            <th className={classes.number}>{say('chance')}</th>
            {choice !== 'priority' && <th className={classes.number}>{say(`score_${choice}`)}</th>}
            <th className={classes.number}>{say('priority')}</th>
            <th className={classes.number}>{say('weight')}</th>
          </tr>
        </thead>
        <tbody>
          {target.channels.map(({ id, name, type, priority, weight, share, reason, score }) => (
            <tr key={id}>
              <td>
                <span className={classes.named}>
                  <Logo of={{ type }} name={name} />
                  <Link to="/channel/$id" params={{ id: String(id) }}>
                    {name}
                  </Link>
                </span>
              </td>
              <td className={reason === 'chosen' ? 'strong' : 'muted'}>{say(`reason_${reason}`)}</td>
              <td className={`num ${classes.number}`}>{share > 0 ? formatPercent(share) : '—'}</td>
              {choice !== 'priority' && (
                <td className={`num ${classes.number}`}>
                  <Score choice={choice} score={score} />
                </td>
              )}
              <td className={`num ${classes.number}`}>{priority}</td>
              <td className={`num ${classes.number}`}>{weight}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}

const Target = ({ target, choice }: { target: ExplainedTarget; choice: Choice }) => {
  const say = useRouteMessages()
  const { model, step, share, priced, current } = target
  return (
    <li className={classes.way}>
      <div className={classes.wayHead}>
        <span className="num faint">{say('step', { number: step + 1 })}</span>
        <span className="strong mono">{model}</span>
        <span className="num">{share > 0 ? `${say('share')} ${formatPercent(share)}` : say('fallback')}</span>
        {!priced && <StatusBadge tone="bad" label={say('unpriced')} />}
        {!current && <StatusBadge tone="neutral" label={say('notNow')} />}
      </div>
      <Channels target={target} choice={choice} />
    </li>
  )
}

const Answer = ({ explained }: { explained: Explained }) => {
  const say = useRouteMessages()
  const { virtual, refusal, targets, choice, keys } = explained
  const rule = virtual?.rule ? say('ruleTaken', { rule: virtual.rule }) : say('noRule')
  return (
    <div aria-live="polite" className={classes.answer}>
      {refusal !== '' && (
        <p>
          <StatusBadge tone="bad" label={say('refused')} /> {say(`refusal_${refusal}`)}
          {refusal === 'key_ambiguous' && keys.map(({ id, username }) => ` #${id} (${username})`).join(', ')}
        </p>
      )}
      {targets.length > 0 && (
        <p>
          {virtual === null ? say('plainModel') : rule} · {say('choice')}: {say(`choice_${choice}`)} ·{' '}
          {say('explainGroup')}: {explained.group}
        </p>
      )}
      <ol className={classes.ways}>
        {targets.map((target) => (
          <Target key={`${target.step} ${target.model}`} target={target} choice={choice} />
        ))}
      </ol>
    </div>
  )
}

/** Explanation of a route: the facts of a call, and the route that it would take now. */
export const RouteExplanation = () => {
  const say = useRouteMessages()
  const [search, setSearch] = useSearchParams()
  const { data: models = [] } = useEndpoint(calls.listEnabledModels)
  const { data: groups = [] } = useEndpoint(calls.listGroups)
  const model = search.model ?? ''
  const group = search.group ?? 'default'
  const key = search.key ?? ''
  const prompt = Number(search.prompt ?? 0)
  const query = {
    model,
    group,
    key,
    prompt,
    header: search.header ?? '',
    tools: truth(search.tools),
    pictures: truth(search.pictures),
    stream: truth(search.stream),
  }
  const explained = useEndpoint(calls.explainRoute, { query }, { enabled: model !== '', staleTimeMs: 0 })
  const set = (change: Readonly<Record<string, string | undefined>>): void => setSearch(change, { replace: true })
  const choices = [
    { value: '', label: say('any') },
    { value: 'true', label: say('with') },
    { value: 'false', label: say('without') },
  ]
  const flag = (name: 'tools' | 'pictures' | 'stream', label: string) => (
    <NativeSelect
      label={label}
      data={choices}
      value={search[name] ?? ''}
      onChange={(event) => set({ [name]: event.currentTarget.value || undefined })}
    />
  )
  return (
    <section className={`panel ${classes.explain}`} aria-label={say('explainTab')}>
      <p className="faint">{say('explainText')}</p>
      <div className={classes.facts}>
        <Autocomplete
          label={say('explainModel')}
          data={[...models]}
          limit={50}
          value={model}
          onChange={(value) => set({ model: value || undefined })}
        />
        <NativeSelect
          label={say('explainGroup')}
          data={[...new Set([...groups, group])]}
          value={group}
          onChange={(event) => set({ group: event.currentTarget.value })}
        />
        <FoundSelect
          subjects={calls.findLimitSubjects}
          kind="key"
          label={say('explainKey')}
          placeholder={say('explainKeyHint')}
          nothingFoundMessage={say('nothingFound')}
          value={key}
          onChange={(value) => set({ key: value || undefined })}
        />
        <NumberInput
          label={say('explainPrompt')}
          min={0}
          allowDecimal={false}
          value={prompt === 0 ? '' : prompt}
          onChange={(value) => set({ prompt: value ? String(value) : undefined })}
        />
        <TextInput
          label={say('explainHeader')}
          placeholder="X-Tollgate-Tags: env=test"
          value={search.header ?? ''}
          onChange={(event) => set({ header: event.currentTarget.value || undefined })}
        />
        {flag('tools', say('whenTools'))}
        {flag('pictures', say('whenPictures'))}
        {flag('stream', say('whenStream'))}
      </div>
      {explained.error && !explained.data && (
        <ErrorState error={explained.error} onRetry={() => void explained.refetch()} />
      )}
      {model !== '' && explained.data === undefined && !explained.error && <Skeleton h={160} />}
      {explained.data && <Answer explained={explained.data} />}
    </section>
  )
}

const truth = (text: string | undefined): 'true' | 'false' | undefined =>
  text === 'true' || text === 'false' ? text : undefined
