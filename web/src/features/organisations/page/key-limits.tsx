import { NativeSelect, Skeleton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Meter } from '../../../components/display/meter.tsx'
import { useQuotaText } from '../../../components/display/quota.tsx'
import { useShortMomentText } from '../../../components/display/time/time-text.tsx'
import { useAmountText } from '../../../components/limits/limit-state.tsx'
import { whoText, windowText } from '../../../components/limits/limit-text.ts'
import { useLimitTexts } from '../../../components/limits/messages.ts'
import { EmptyState, ErrorState } from '../../../components/states.tsx'
import { UsagePanel } from '../../../components/usage/panel.tsx'
import { calls, type LimitState, type Organisation, type ProjectKey, type SpendCap } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { useTimeAnchor } from '../../../lib/time/time-anchor.ts'
import { periodText } from '../cap-cell.tsx'
import { daysLeft, reachedAt } from '../forecast.ts'
import { memberName } from '../member-text.ts'
import { useOrganisationMessages } from '../messages.ts'
import classes from './key-limits.module.css'
import { useSpendMessages } from './spend-messages.ts'

interface Line {
  readonly id: string
  readonly who: string
  readonly what: string
  readonly used: string
  readonly of: string
  /** Share that is used, of 1. */
  readonly share: number
  /** Unix seconds at which calls stop at the pace so far; undefined where they go on. */
  readonly stopsAt?: number | undefined
  /** Text shown if calls go on. */
  readonly note?: ReactNode
}

const LimitLine = ({ line, isFirst }: { line: Line; isFirst: boolean }) => {
  const saySpend = useSpendMessages()
  const momentText = useShortMomentText()
  const isFull = line.share >= 1
  const note = isFull
    ? saySpend('stopsNow')
    : line.stopsAt === undefined
      ? line.note
      : saySpend(isFirst ? 'stopsFirst' : 'stopsAt', { when: momentText(line.stopsAt) })
  return (
    <li className={classes.line}>
      <div>
        <span className="cut">
          <span className="strong">{line.who}</span> <span className="muted">{line.what}</span>
        </span>
        <span className={`num ${classes.figures}`}>
          {line.used} <span className="faint">{line.of}</span>
        </span>
      </div>
      <div>
        <Meter used={line.share} />
        <span className={classes.note} data-tone={isFull ? 'bad' : isFirst ? 'warn' : undefined}>
          {note}
        </span>
      </div>
    </li>
  )
}

const useLines = (organisation: Organisation, key: ProjectKey, states: readonly LimitState[]): readonly Line[] => {
  const say = useOrganisationMessages()
  const saySpend = useSpendMessages()
  const sayLimit = useLimitTexts()
  const quotaText = useQuotaText()
  const amountText = useAmountText()
  const momentText = useShortMomentText()
  const [now] = useTimeAnchor()
  const { members, projects, balance, spent } = organisation
  const days = daysLeft(balance ?? 0, spent, now)
  const ofAmount = (amount: string) => saySpend('ofAmount', { amount })
  const capLine = (id: string, who: string, cap: SpendCap | null | undefined): readonly Line[] =>
    cap
      ? [
          {
            id,
            who,
            what: saySpend('capOver', { period: periodText(cap.period, say) }),
            used: quotaText(cap.spent),
            of: ofAmount(quotaText(cap.amount)),
            share: cap.amount === 0 ? 1 : cap.spent / cap.amount,
            stopsAt: reachedAt(cap, now),
          },
        ]
      : []
  const whole = key.used_quota + Math.max(0, key.remain_quota)
  return [
    ...(key.unlimited_quota
      ? []
      : [
          {
            id: 'quota',
            who: key.name,
            what: say('quotaLimit'),
            used: quotaText(key.used_quota),
            of: ofAmount(quotaText(whole)),
            share: whole === 0 ? 1 : key.used_quota / whole,
          },
        ]),
    ...capLine(
      'member',
      memberName(members, key.member_id, say),
      members.find((one) => one.user_id === key.member_id)?.cap,
    ),
    ...capLine(
      'project',
      projects.find((one) => one.id === key.project_id)?.name ?? '',
      projects.find((one) => one.id === key.project_id)?.cap,
    ),
    ...states.map((state) => ({
      id: `${state.id} ${state.subject}`,
      who: whoText(state.subjects, sayLimit),
      what: `${sayLimit(state.measure)} ${windowText(state, sayLimit)}`,
      used: amountText(state.measure, state.used),
      of: ofAmount(amountText(state.measure, state.amount)),
      share: Math.min(1, 1 - state.left / state.amount),
      stopsAt: state.refuses && state.used_up_at > 0 ? state.used_up_at : undefined,
      note: !state.refuses
        ? sayLimit('onlyTells')
        : state.free_at > 0 && state.left < state.amount && sayLimit('freeAt', { when: momentText(state.free_at) }),
    })),
    ...(balance === null
      ? []
      : [
          {
            id: 'wallet',
            who: organisation.name,
            what: say('wallet'),
            used: sayLimit('left', { left: quotaText(balance) }),
            of: '',
            share: balance > 0 ? 0 : 1,
            note: days !== undefined && saySpend('lastsDays', { days, count: days }),
          },
        ]),
  ]
}

const Lines = (props: { organisation: Organisation; of: ProjectKey; states: readonly LimitState[] }) => {
  const saySpend = useSpendMessages()
  const lines = useLines(props.organisation, props.of, props.states)
  const first = lines
    .filter(({ stopsAt }) => stopsAt !== undefined)
    .toSorted((one, other) => (one.stopsAt ?? 0) - (other.stopsAt ?? 0))[0]
  if (lines.length === 0)
    return <EmptyState icon="balance" title={saySpend('nothingCounts')} text={saySpend('nothingCountsText')} />
  return (
    <ul className={classes.lines}>
      {lines.map((line) => (
        <LimitLine key={line.id} line={line} isFirst={line === first} />
      ))}
    </ul>
  )
}

/** Everything that may stop a key of the organisation: its quota, caps of who has it and of its project, and limits of the site. */
export const KeyLimits = ({ organisation }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const saySpend = useSpendMessages()
  const { id, members } = organisation
  const keys = useEndpoint(calls.listProjectKeys, { params: { id } }, { staleTimeMs: 5000 })
  const [chosen, setChosen] = useState<number>()
  const key = keys.data?.find((one) => one.id === chosen) ?? keys.data?.[0]
  const states = useEndpoint(
    calls.readProjectKeyLimits,
    { params: { id }, query: { key: key?.id ?? 0 } },
    { enabled: key !== undefined, staleTimeMs: 5000 },
  )
  const failed = keys.error ?? states.error
  if (keys.data?.length === 0) return null
  return (
    <UsagePanel
      title={saySpend('counts')}
      aside={
        key && (
          <NativeSelect
            size="xs"
            aria-label={say('key')}
            value={String(key.id)}
            onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
            data={keys.data?.map((one) => ({
              value: String(one.id),
              label: `${one.name} · ${memberName(members, one.member_id, say)}`,
            }))}
          />
        )
      }
    >
      {failed && !states.data && <ErrorState error={failed} onRetry={() => void states.refetch()} />}
      {!failed && !states.data && <Skeleton h={102} radius={0} aria-busy="true" />}
      {key && states.data && <Lines organisation={organisation} of={key} states={states.data} />}
    </UsagePanel>
  )
}
