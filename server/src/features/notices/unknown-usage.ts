import type { DeclaredUsage } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import type { Notice, NoticeText } from './texts.ts'

const kinds: Readonly<Record<string, Readonly<Record<'zh' | 'en', string>>>> = {
  usage: { zh: '用量字段', en: 'usage field' },
  cache: { zh: '缓存时长', en: 'cache lifetime' },
  geo: { zh: '推理地区', en: 'inference region' },
  tool: { zh: '工具', en: 'tool' },
  tier: { zh: '服务等级', en: 'service tier' },
}

/** A provider states another cost than the prices of its channels give. */
const otherCost = (
  { place, name, calls, quota }: Pick<DeclaredUsage, 'place' | 'name' | 'calls'> & { readonly quota: string },
  isChinese: boolean,
): Notice => ({
  kind: `unknown_usage cost ${place}`,
  title: isChinese ? '上游成本与价格不符' : 'Provider cost differs from prices',
  content: isChinese
    ? `{{value}} 给出的「{{value}}」调用金额与按价格计算的成本不同：${calls} 次调用，相差 {{value}}。成本按提供商给出的金额计算，用户的费用不变。请核对渠道的成本价格。`
    : `{{value}} reports a different cost for “{{value}}” than the price list: ${calls} calls, {{value}} apart. The provider’s figure is kept as the cost, and user charges don’t change. Check the channel’s prices.`,
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
          ? `价格表还没有“{{value}}”：${calls} 次调用已按同系列最新模型的价格暂计，涉及 {{value}}。价格表更新或你设置价格后，多收的金额会自动退还。`
          : `No price list has “{{value}}” yet: ${calls} calls were charged provisionally at the price of the newest model in its family, {{value}} in total. Once it has a list price or you set one, overcharges are refunded automatically.`,
        values: [name, amountText(quota)],
      }
    const what = ownMember(kinds, kind)?.[isChinese ? 'zh' : 'en'] ?? kind
    return {
      kind: `unknown_usage ${kind} ${place}`,
      title: isChinese ? `出现未知的${what}` : `An unknown ${what} was billed`,
      content: isChinese
        ? `「{{value}}」（{{value}}，模型 {{value}}）没有价格：${calls} 次调用已按已知的最高价暂计，涉及 {{value}}。请在“未知用量”页设置计费方式，多收的金额会自动退还。`
        : `“{{value}}” ({{value}}, model {{value}}) has no price: ${calls} calls were charged provisionally at the highest known price, {{value}} in total. Set how it is billed under “Unknown usage”; overcharges are refunded automatically.`,
      values: [name, place, model, amountText(quota)],
    }
  }
