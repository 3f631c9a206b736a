import {
  isLimitDeadline,
  type Limit,
  type LimitMeasure,
  type LimitSubject,
  type LimitWindow,
  type limitDeadlines,
} from '@tollgate/contract'
import type { LimitedCall } from './call-limits.ts'
import { nameOfEndUser } from './compiled-limit.ts'
import type { Counter } from './counter.ts'

interface Both {
  readonly zh: string
  readonly en: string
}

const measures: Readonly<Record<LimitMeasure, Both>> = {
  requests: { zh: '次请求', en: 'requests' },
  input_tokens: { zh: '个输入 token', en: 'input tokens' },
  output_tokens: { zh: '个输出 token', en: 'output tokens' },
  tokens: { zh: '个 token', en: 'tokens' },
  money: { zh: '', en: '' },
  running: { zh: '个进行中的请求', en: 'requests' },
}

const windows: Readonly<Record<Exclude<LimitWindow, 'rolling'>, Both>> = {
  minute: { zh: '每分钟', en: 'per minute' },
  hour: { zh: '每小时', en: 'per hour' },
  day: { zh: '每天', en: 'per day' },
  week: { zh: '每周', en: 'per week' },
  month: { zh: '每月', en: 'per month' },
  forever: { zh: '总计', en: 'in all' },
  now: { zh: '同时', en: 'at a time' },
}

const kinds: Readonly<Record<LimitSubject, Both>> = {
  key: { zh: '令牌', en: 'key' },
  user: { zh: '用户', en: 'user' },
  team: { zh: '团队', en: 'team' },
  project: { zh: '项目', en: 'project' },
  member: { zh: '成员', en: 'member' },
  end_user: { zh: '终端用户', en: 'end user' },
  tag: { zh: '成本标签', en: 'cost tag' },
  group: { zh: '分组', en: 'group' },
  model: { zh: '模型', en: 'model' },
  virtual_model: { zh: '虚拟模型', en: 'virtual model' },
  address: { zh: '地址', en: 'address' },
  deadline: { zh: '截止时间', en: 'deadline' },
  channel: { zh: '渠道', en: 'channel' },
  upstream_key: { zh: '上游密钥', en: 'upstream key' },
}

const deadlines = {
  with: { zh: '有截止时间的请求', en: 'calls with a deadline' },
  without: { zh: '无截止时间的请求', en: 'calls without a deadline' },
} as const satisfies Record<(typeof limitDeadlines)[number], Both>

const windowText = ({ window, hours }: Limit): Both =>
  window === 'rolling' ? { zh: `每 ${hours} 小时`, en: `in any ${hours} hours` } : windows[window]

/** Subject of a limit, e.g. `group vip, model gpt-5`. */
export const subjectText = (
  subjects: readonly { readonly kind: LimitSubject; readonly value: string; readonly name: string }[],
): Both => {
  const parts = subjects.map(({ kind, value, name }) => {
    if (kind === 'deadline' && isLimitDeadline(value)) return deadlines[value]
    return { zh: `${kinds[kind].zh} ${name || value}`, en: `${kinds[kind].en} ${name || value}` }
  })
  return { zh: parts.map(({ zh }) => zh).join('，'), en: parts.map(({ en }) => en).join(', ') }
}

/** Keys and users by their names, which are the caller's own. */
const shownName = (kind: LimitSubject, value: string, { caller, channel }: LimitedCall): string => {
  if (kind === 'channel' || kind === 'upstream_key') return channel?.name ?? value
  if (kind === 'end_user') return nameOfEndUser(value)
  if (kind === 'key') return caller.tokenName || value
  return kind === 'user' ? caller.username : value
}

/** The subjects of a counter as a caller knows them. */
export const subjectsFor = ({ compiled, values }: Counter, call: LimitedCall) =>
  compiled.limit.subjects.map(({ kind }, index) => {
    const value = values[index] ?? ''
    return { kind, value, name: shownName(kind, value, call) }
  })

/** Text of a refusal about its limit, in both languages. */
export const limitTexts = (
  counter: Counter,
  about: {
    readonly call: LimitedCall
    /** Wanted by the call. */
    readonly amount: number
    readonly left: number
    /** Until it is free; undefined for never. */
    readonly seconds: number | undefined
    readonly amountText: (quota: number) => string
  },
): Readonly<Record<string, string>> => {
  const { call, amount, left, seconds, amountText } = about
  const { limit } = counter.compiled
  const shown = (figure: number): string => (limit.measure === 'money' ? amountText(figure) : String(figure))
  const [subject, window, measure] = [
    subjectText(subjectsFor(counter, call)),
    windowText(limit),
    measures[limit.measure],
  ]
  const free: Both =
    seconds === undefined
      ? { zh: `本次请求需要 ${shown(amount)}`, en: `the call needs ${shown(amount)}` }
      : { zh: `${seconds} 秒后可用`, en: `free in ${seconds} s` }
  const most = (unit: string): string => (unit === '' ? shown(limit.amount) : `${shown(limit.amount)} ${unit}`)
  return {
    name: limit.name,
    subject: subject.zh,
    subject_en: subject.en,
    most: most(measure.zh),
    most_en: most(measure.en),
    window: window.zh,
    window_en: window.en,
    left: shown(left),
    free: free.zh,
    free_en: free.en,
  }
}
