import { type AlertQuestion, figureMetrics, type Language } from '@tollgate/contract'
import { type NoticeText, noButton } from '#server/features/notices/texts.ts'
import { onFirstUse } from '#server/lib/on-first-use.ts'

/** An alert on a figure of calls whose value passed its threshold, or is back. */
export interface PassedAlert extends AlertQuestion {
  readonly name: string
  readonly value: number
  readonly over: boolean
}

export interface AlertTextParts {
  /** Option ServerAddress. */
  serverAddress(): string
  /** Quota as notices write it. */
  amountText(quota: number): string
}

const windows: Readonly<Record<AlertQuestion['window_hours'], Readonly<Record<'zh' | 'en', string>>>> = {
  1: { zh: '最近 1 小时', en: 'the last hour' },
  6: { zh: '最近 6 小时', en: 'the last 6 hours' },
  24: { zh: '最近 24 小时', en: 'the last 24 hours' },
  168: { zh: '最近 7 天', en: 'the last 7 days' },
}

const ranges: Readonly<Record<AlertQuestion['window_hours'], string>> = { 1: '24h', 6: '24h', 24: '24h', 168: '7d' }

/** Made with the first figure: the tables of languages behind it take 15 ms of a start. */
const numbers = onFirstUse(() => new Intl.NumberFormat('en-US'))

const figureText = (
  { metric }: AlertQuestion,
  value: number,
  language: Language,
  amountText: (quota: number) => string,
): string => {
  switch (figureMetrics[metric].unit) {
    case 'quota':
      return amountText(Math.round(value))
    case 'share':
      return `${Number((value * 100).toFixed(2))}%`
    case 'ms':
      return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(2)} s`
    case 'speed':
      return language === 'zh' ? `${value.toFixed(1)} tokens/秒` : `${value.toFixed(1)} tokens/s`
    default:
      return numbers().format(value)
  }
}

/** The address of the chart, with the filters as the console writes them. */
const chartOf = (serverAddress: string, { metric, filters, mine, window_hours }: AlertQuestion): string => {
  const search = new URLSearchParams({ metric, range: ranges[window_hours] })
  if (filters.length > 0)
    search.set('filter', JSON.stringify(filters.map(({ dimension, is, values }) => [dimension, is, ...values])))
  if (mine) search.set('mine', '1')
  return `${serverAddress.replace(/\/+$/, '')}/explore?${search}`
}

const titleOf = (language: Language, { name, comparison, over }: PassedAlert): string => {
  if (language !== 'zh') return over ? `Alert “${name}”: ${comparison} threshold` : `Alert “${name}” resolved`
  if (!over) return `告警「${name}」已恢复`
  return comparison === 'above' ? `告警「${name}」：高于阈值` : `告警「${name}」：低于阈值`
}

const contentOf = (language: Language, { comparison, over, window_hours }: PassedAlert): string => {
  const window = windows[window_hours]
  if (language !== 'zh')
    return `{{value}}: {{value}} in ${window.en}, ${over ? '' : 'no longer '}${comparison} {{value}}.`
  return `「{{value}}」${window.zh}为 {{value}}，${over ? '' : '不再'}${comparison === 'above' ? '高于' : '低于'}阈值 {{value}}。`
}

/** One kind for all alerts: the limit counts them together. */
export const alertPassed =
  (alert: PassedAlert, { serverAddress, amountText }: AlertTextParts): NoticeText =>
  (language) => {
    const address = serverAddress()
    const text = (value: number): string => figureText(alert, value, language, amountText)
    const link = {
      label: language === 'zh' ? '打开图表' : 'Open chart',
      url: chartOf(address, alert),
      otherwise: noButton(language),
    }
    return {
      kind: 'explore_alert',
      title: titleOf(language, alert),
      content: contentOf(language, alert),
      values: [alert.name, text(alert.value), text(alert.threshold)],
      ...(address === '' ? {} : { link }),
    }
  }
