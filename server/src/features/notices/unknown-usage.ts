import type { DeclaredUsage } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import type { NoticeText } from './texts.ts'

const kinds: Readonly<Record<string, Readonly<Record<'zh' | 'en', string>>>> = {
  usage: { zh: '用量字段', en: 'usage member' },
  cache: { zh: '缓存时长', en: 'cache lifetime' },
  geo: { zh: '推理地区', en: 'inference place' },
  tool: { zh: '工具', en: 'tool' },
  tier: { zh: '服务等级', en: 'service tier' },
}

/** A part of answers that no table declares was seen for the first time: calls with it are charged provisionally. */
export const unknownUsage =
  (
    { kind, place, name, calls, quota, model_name: model }: DeclaredUsage,
    amountText: (quota: number) => string,
  ): NoticeText =>
  (language) => {
    const isChinese = language === 'zh'
    if (kind === 'price')
      return {
        kind: `unknown_usage ${kind} ${place}`,
        title: isChinese ? '调用了还没有价格的新模型' : 'A model without a price was called',
        content: isChinese
          ? `价格表还没有“{{value}}”：${calls} 次调用已按同系列最新模型的价格暂计，涉及 {{value}}。价格表更新或您设置价格后，多收的金额会自动退还。`
          : `No price list names “{{value}}” yet: ${calls} calls were charged provisionally as the newest model of its family, {{value}} in all. Once the lists know it, or you set its price, what was too much is given back by itself.`,
        values: [name, amountText(quota)],
      }
    const what = ownMember(kinds, kind)?.[isChinese ? 'zh' : 'en'] ?? kind
    return {
      kind: `unknown_usage ${kind} ${place}`,
      title: isChinese ? `出现未知的${what}` : `An unknown ${what} was billed`,
      content: isChinese
        ? `「{{value}}」（{{value}}，模型 {{value}}）没有价格：${calls} 次调用已按已知的最高价暂计，涉及 {{value}}。请在“未知用量”页声明其价格，多收的金额会自动退还。`
        : `“{{value}}” ({{value}}, model {{value}}) has no price: ${calls} calls were charged provisionally at the dearest price known, {{value}} of it. Declare it on the page “Unknown usage”; what was too much is given back by itself.`,
      values: [name, place, model, amountText(quota)],
    }
  }
