import type { DeclaredUsage } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import type { Notice, NoticeText } from './texts.ts'

const kinds: Readonly<Record<string, Readonly<Record<'zh' | 'en', string>>>> = {
  usage: { zh: '用量字段', en: 'usage member' },
  cache: { zh: '缓存时长', en: 'cache lifetime' },
  geo: { zh: '推理地区', en: 'inference place' },
  tool: { zh: '工具', en: 'tool' },
  tier: { zh: '服务等级', en: 'service tier' },
}

/** A provider states another cost than the prices of its channels give. */
const otherCost = (
  { place, name, calls, quota }: Pick<DeclaredUsage, 'place' | 'name' | 'calls'> & { readonly quota: string },
  isChinese: boolean,
): Notice => ({
  kind: `unknown_usage cost ${place}`,
  title: isChinese ? '上游成本与价格不符' : 'A provider states another cost',
  content: isChinese
    ? `{{value}} 给出的「{{value}}」调用金额与按价格计算的成本不同：${calls} 次调用，相差 {{value}}。成本已按服务商给出的金额计算，用户支付的金额不变。请核对渠道的成本价格。`
    : `{{value}} states other costs for “{{value}}” than prices give: ${calls} calls, {{value}} apart. The provider’s own figures are the cost, and users pay what they paid. Check what the channel’s prices say.`,
  values: [place, name, quota],
})

/** A part of answers that no table declares was seen for the first time: calls with it are charged provisionally. */
export const unknownUsage =
  (
    { kind, place, name, calls, quota, model_name: model }: DeclaredUsage,
    amountText: (quota: number) => string,
  ): NoticeText =>
  (language) => {
    const isChinese = language === 'zh'
    if (kind === 'cost') return otherCost({ place, name, calls, quota: amountText(quota) }, isChinese)
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
