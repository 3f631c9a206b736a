import { defineMessages } from '../i18n.ts'

/**
 * Sentences of the server's own that are stored as the cause of something, always in Chinese: why a channel or a key was
 * disabled, why an attempt, a task or a drawing failed. The Chinese text is the stored one, byte for byte.
 */
const useCauses = defineMessages('causes', {
  zh: {
    unreached: '请求上游地址失败',
    timeout: '上游响应超时',
    brokeOff: '上游连接中断',
    unreadable: '上游返回了无法解析的内容',
    declined: '模型拒绝回答此请求（内容政策）',
    empty: '上游没有返回任何内容',
    busy: '当前分组上游负载已饱和，请稍后再试',
    credentials: '上游凭证无效或无法获取',
    allKeysOff: '所有密钥均已禁用',
    noBalance: '余额不足',
    tooSlow: '响应时间 {{seconds}}s 超过阈值 {{limit}}s',
    taskChannelGone: '获取渠道信息失败，请联系管理员，渠道ID：{{channel}}',
    taskNotSubmitted: '任务提交失败',
    taskTimeout: '上游任务超时（超过1小时）',
    taskChannelOff: '该任务所属渠道已被禁用',
    drawingBusy: '当前分组负载已饱和，请稍后再试，或升级账户以提升服务质量。',
  },
  en: {
    unreached: 'Could not reach the upstream',
    timeout: 'The upstream did not answer in time',
    brokeOff: 'The upstream broke off',
    unreadable: 'The upstream sent an unreadable answer',
    declined: 'The model declined to answer this request (content policy)',
    empty: 'The upstream answered without any content',
    busy: 'The upstreams of this group are busy',
    credentials: 'The credentials of the upstream are not valid or could not be fetched',
    allKeysOff: 'All keys are disabled',
    noBalance: 'No balance left',
    tooSlow: 'It took {{seconds}} s to answer, more than the limit of {{limit}} s',
    taskChannelGone: 'Channel {{channel}} of the task does not exist any more',
    taskNotSubmitted: 'The task could not be submitted',
    taskTimeout: 'The upstream took longer than an hour',
    taskChannelOff: 'The channel of the task is disabled',
    drawingBusy: 'The upstreams of this group are busy',
  },
})

const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')

/** A stored text with places to read figures from. */
const patternOf = (text: string): RegExp =>
  new RegExp(`^${escaped(text).replace(/\{\{(\w+)\}\}/g, (_, name: string) => `(?<${name}>[\\d.]+)`)}$`)

const patterns = Object.entries(useCauses.messages.zh).map(([key, text]) => ({ key, pattern: patternOf(text) }))

/** A stored cause in the reader's language where the sentence is the server's own; what upstreams wrote stays as it is. */
export const causeText = (stored: string): string => {
  if (!/\p{Script=Han}/u.test(stored)) return stored
  const sentence = stored.replace(/^status code \d+: /, '')
  for (const { key, pattern } of patterns) {
    const found = pattern.exec(sentence)
    if (found && useCauses.has(key)) return useCauses.say(key, found.groups ?? {})
  }
  return stored
}
