import { hash } from 'node:crypto'
import type { Cause, Language } from '@tollgate/contract'
import { causeIn } from '../../lib/json/stored-error.ts'

/** A message to one person, before it has a way to go. */
export interface Notice {
  /** Becomes the `type` of a webhook; limits count per kind. */
  readonly kind: string
  readonly title: string
  /** Plain text; each `{{value}}` stands for one of `values`, in order. */
  readonly content: string
  readonly values: readonly string[]
  readonly link?: { readonly label: string; readonly url: string; readonly otherwise: string } | undefined
}

/** The text of a notice, in the recipient's language. */
export type NoticeText = (language: Language) => Notice

export const noButton = (language: Language): string =>
  language === 'zh' ? '如果按钮无法点击，请在浏览器中打开以下链接：' : 'Button not working? Open this link:'

const topUpLink = (language: Language, serverAddress: string): Pick<Notice, 'link'> =>
  serverAddress === ''
    ? {}
    : {
        link: {
          label: language === 'zh' ? '充值链接' : 'Top up',
          url: `${serverAddress.replace(/\/+$/, '')}/topup`,
          otherwise: noButton(language),
        },
      }

/** `amount` is the remaining quota as people read it; where the site has no address of its own there is no link. */
export const quotaWarning =
  (amount: string, serverAddress: string): NoticeText =>
  (language) => {
    const title = language === 'zh' ? '您的额度即将用尽' : 'Your balance is low'
    const content =
      language === 'zh'
        ? '{{value}}，当前剩余额度为 {{value}}，为了不影响您的使用，请及时充值。'
        : '{{value}}: {{value}} left. Top up to keep your API calls running.'
    return { kind: 'quota_exceed', title, content, values: [title, amount], ...topUpLink(language, serverAddress) }
  }

interface NamedChannel {
  readonly id: number
  readonly name: string
}

const because = (language: Language, title: string, cause: Cause): string => {
  const { text } = causeIn(cause, language)
  return language === 'zh' ? `${title}，原因：${text}` : `${title}: ${text}`
}

export const channelDisabled =
  ({ id, name }: NamedChannel, cause: Cause): NoticeText =>
  (language) => {
    const title = language === 'zh' ? `渠道「${name}」（#${id}）已被禁用` : `Channel “${name}” (#${id}) disabled`
    return { kind: `channel_update_${id}_3`, title, content: because(language, title, cause), values: [] }
  }

/** `quota` and `cost` are amounts as people read them. Kinds are short, and names of models may be long. */
export const soldBelowCost =
  ({ id, name }: NamedChannel, model: string, { quota, cost }: { quota: string; cost: string }): NoticeText =>
  (language) => {
    const title =
      language === 'zh'
        ? `渠道「${name}」（#${id}）的 ${model} 售价低于成本`
        : `${model} on channel “${name}” (#${id}) sold below cost`
    const content =
      language === 'zh'
        ? `一次调用收费 ${quota}，上游成本为 ${cost}。请检查模型价格与渠道的成本设置。`
        : `A call was charged ${quota} but cost ${cost}. Check the model’s price and the channel’s cost settings.`
    return { kind: `below_cost_${id}_${hash('sha256', model).slice(0, 16)}`, title, content, values: [] }
  }

interface EndingModel {
  readonly model: string
  readonly day: string
  readonly replacedBy: string
}

/** Models that are named in one notice; of more only the number. */
const mostNamed = 20

/** Models of this site that end soon, the first ones first. */
export const modelsEnding =
  (ends: readonly EndingModel[]): NoticeText =>
  (language) => {
    const isChinese = language === 'zh'
    const lines = ends.slice(0, mostNamed).map(({ model, day, replacedBy }) => {
      const then = isChinese ? `替代模型 ${replacedBy}` : `replaced by ${replacedBy}`
      return `${model}: ${day}${replacedBy === '' ? '' : isChinese ? `（${then}）` : ` (${then})`}`
    })
    const more = ends.length - lines.length
    if (more > 0) lines.push(isChinese ? `另有 ${more} 个` : `and ${more} more`)
    const title = isChinese ? `${ends.length} 个模型即将停用` : `Models retiring soon: ${ends.length}`
    const advice = isChinese
      ? '请在“虚拟模型”页的停用日历中查看，并设置替代模型。'
      : 'See Retirements under Virtual models, and set replacements in the settings.'
    return { kind: 'models_ending', title, content: [...lines, advice].join('\n'), values: [] }
  }

/** One kind for all of them: limits count per kind. */
export const recordRefused =
  (requestId: string, reason: string): NoticeText =>
  (language) => {
    const title = language === 'zh' ? '一条记录未能写入数据库' : 'A record couldn’t be saved'
    const content =
      language === 'zh'
        ? `请求 ${requestId} 的记录未能写入数据库，原因：${reason}。请在使用日志中查看并重试。`
        : `The database rejected the record of request ${requestId}: ${reason}. Review and retry it in the usage log.`
    return { kind: 'record_refused', title, content, values: [] }
  }

export const backupFailed =
  (reason: string): NoticeText =>
  (language) => {
    const title = language === 'zh' ? '备份失败' : 'Backup failed'
    const content =
      language === 'zh'
        ? `备份未完成，原因：${reason}。将在十分钟内重试。`
        : `The backup wasn’t created: ${reason}. It will be retried within ten minutes.`
    return { kind: 'backup_failed', title, content, values: [] }
  }

export const channelEnabled =
  ({ id, name }: NamedChannel): NoticeText =>
  (language) => {
    const title = language === 'zh' ? `渠道「${name}」（#${id}）已重新启用` : `Channel “${name}” (#${id}) re-enabled`
    return { kind: `channel_update_${id}_1`, title, content: title, values: [] }
  }

export const channelKeyDisabled =
  ({ id, name }: NamedChannel, hint: string, cause: Cause): NoticeText =>
  (language) => {
    const title =
      language === 'zh'
        ? `渠道「${name}」（#${id}）的密钥 ${hint} 已被禁用`
        : `Key ${hint} of channel “${name}” (#${id}) disabled`
    return { kind: `channel_update_${id}_key`, title, content: because(language, title, cause), values: [] }
  }

export const channelsTested: NoticeText = (language) => ({
  kind: 'channel_test',
  title: language === 'zh' ? '渠道测试完成' : 'Channel test finished',
  content: language === 'zh' ? '所有渠道均已测试完成' : 'All channels have been tested',
  values: [],
})

/** How far a limit or budget is used; the texts are those of its subject and window, amounts as people read them. */
export interface BudgetReached {
  readonly name: string
  /** 0 where the pace is unusual. */
  readonly percent: number
  /** When it is used up at this pace; undefined where it lasts. */
  readonly usedUpAt: Date | undefined
  readonly subject: Readonly<Record<'zh' | 'en', string>>
  readonly used: string
  readonly amount: string
}

/** One kind for all budgets: the limit counts them together. */
export const budgetReached =
  ({ name, percent, usedUpAt, subject, used, amount }: BudgetReached): NoticeText =>
  (language) => {
    const until = usedUpAt?.toISOString().slice(0, 16).replace('T', ' ')
    if (language === 'zh') {
      const title = percent === 0 ? `限额「${name}」消耗速度异常` : `限额「${name}」已用 ${percent}%`
      const forecast = until === undefined ? '' : `按当前速度将于 ${until} UTC 用尽。`
      return { kind: 'budget', title, content: `${subject.zh}：已用 ${used}，共 ${amount}。${forecast}`, values: [] }
    }
    const title = percent === 0 ? `Unusual spike on limit “${name}”` : `Limit “${name}” is ${percent}% used`
    const forecast = until === undefined ? '' : ` At this pace it runs out on ${until} UTC.`
    const content = `${subject.en}: ${used} of ${amount} used.${forecast}`
    return { kind: 'budget', title, content, values: [] }
  }

export const testKind = 'test'

/** Has a value, so that a receiver can be tried with what a real notice looks like. */
export const testNotice =
  (amount: string): NoticeText =>
  (language) => ({
    kind: testKind,
    title: language === 'zh' ? '测试通知' : 'Test notification',
    content:
      language === 'zh'
        ? '这是一条测试通知，您的通知设置可以正常使用。当前余额为 {{value}}。'
        : 'This is a test notification. Your notification settings work. Balance: {{value}}.',
    values: [amount],
  })

/**
 * The body of a webhook. Placeholders stay, for receivers that fill them in themselves; a link is
 * markup with two of them.
 */
export const webhookBody = ({ kind, title, content, values, link }: Notice, timestamp: number): string => {
  const all = link === undefined ? values : [...values, link.url, link.url]
  return JSON.stringify({
    type: kind,
    title,
    content: link === undefined ? content : `${content}<br/>${link.label}：<a href='{{value}}'>{{value}}</a>`,
    ...(all.length > 0 ? { values: all } : {}),
    timestamp,
  })
}

/** The content with its values in place. */
export const filledContent = ({ content, values }: Notice): string => {
  const rest = [...values]
  return content.replace(/\{\{value\}\}/g, () => rest.shift() ?? '')
}
