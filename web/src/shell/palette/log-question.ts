/** Filters of the usage log that words ask for. */
export interface LogQuestion {
  /** As the log's filter `type`. */
  readonly type?: '2' | '5'
  /** As the log's range. */
  readonly range?: string
  /** Least cost of a call, as the log's filter `min_cost`. */
  readonly least?: string
  /** Words that name something: a channel, a user, a model, a key. */
  readonly name: string
}

const types: Readonly<Record<'2' | '5', readonly string[]>> = {
  5: ['failed', 'failing', 'failures', 'failure', 'fail', 'error', 'errors', 'refused', '失败', '错误', '报错'],
  2: ['successful', 'succeeded', 'answered', 'charged', '成功', '扣费'],
}

const ranges: Readonly<Record<string, readonly string[]>> = {
  today: ['today', '今天'],
  yesterday: ['yesterday', '昨天'],
  '1h': ['1h', 'hour', '一小时'],
  '24h': ['24h', 'day', '一天'],
  '7d': ['7d', 'week', '一周', '本周'],
  '30d': ['30d'],
  month: ['month', '本月'],
}

const fillers: ReadonlySet<string> = new Set([
  ...[
    'calls',
    'call',
    'requests',
    'request',
    'log',
    'by',
    'of',
    'on',
    'in',
    'from',
    'the',
    'last',
    'this',
    'past',
    'for',
  ],
  ...['调用', '请求', '的', '最近'],
])

const amount = /(?:>=?|\bover|\babove|\bmore than|超过|大于)\s*[$¥€]?\s*(\d{1,9}(?:\.\d{1,6})?)/i

const named = <Value extends string>(table: Readonly<Record<Value, readonly string[]>>, word: string) =>
  (Object.keys(table) as Value[]).find((value) => table[value].includes(word))

/** Reads "failed azure yesterday" or "carol > $1"; undefined where no word filters calls. */
export const readLogQuestion = (text: string): LogQuestion | undefined => {
  const least = amount.exec(text)?.[1]
  const words = text.replace(amount, ' ').split(/\s+/).filter(Boolean)
  const typeOf = (word: string) => named(types, word.toLowerCase())
  const rangeOf = (word: string) => named(ranges, word.toLowerCase())
  const type = words.map(typeOf).find((value) => value !== undefined)
  const range = words.map(rangeOf).find((value) => value !== undefined)
  if (least === undefined && type === undefined && range === undefined) return undefined
  const isName = (word: string): boolean =>
    typeOf(word) === undefined && rangeOf(word) === undefined && !fillers.has(word.toLowerCase())
  return {
    ...(type ? { type } : {}),
    ...(range ? { range } : {}),
    ...(least ? { least } : {}),
    name: words.filter(isName).join(' '),
  }
}
