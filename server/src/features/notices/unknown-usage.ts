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
  title: isChinese ? '上游成本与价格不符' : 'Provider cost doesn’t match prices',
  content: isChinese
    ? `{{value}} 返回的「{{value}}」成本与按价格计算的不同：${calls} 次调用，相差 {{value}}。成本已按提供商返回的金额记录，用户的费用不变。请检查渠道的成本设置。`
    : `{{value}} reported a different cost for “{{value}}” than its prices give: ${calls} calls, {{value}} difference. The reported cost is used; user charges don’t change. Check the channel’s cost settings.`,
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
        title: isChinese ? '新模型还没有价格' : 'New model without a price',
        content: isChinese
          ? `价格表中还没有“{{value}}”：${calls} 次调用暂按同系列最新模型计费，共 {{value}}。价格表更新或您设置价格后，多收的金额会自动退还。`
          : `“{{value}}” isn’t in the price list yet. ${calls} calls were billed provisionally like the newest model of its family, {{value}} in total. Overcharges are refunded automatically once the list has it or you set a price.`,
        values: [name, amountText(quota)],
      }
    const what = ownMember(kinds, kind)?.[isChinese ? 'zh' : 'en'] ?? kind
    return {
      kind: `unknown_usage ${kind} ${place}`,
      title: isChinese ? `出现未知的${what}` : `Unknown ${what} billed`,
      content: isChinese
        ? `「{{value}}」（{{value}}，模型 {{value}}）没有价格：${calls} 次调用暂按已知的最高价计费，共 {{value}}。请在“未知用量”页设置其价格，多收的金额会自动退还。`
        : `“{{value}}” ({{value}}, model {{value}}) has no price. ${calls} calls were billed provisionally at the highest known price, {{value}} in total. Set its price under Unknown usage; overcharges are refunded automatically.`,
      values: [name, place, model, amountText(quota)],
    }
  }
