import { z } from 'zod'
import { role } from '../accounts/access.ts'
import { defaultTopupGroupRatios } from '../prices.ts'
import { address, decimal, integer, json, secret, section, text } from './kinds.ts'
import { ratioMap } from './ratio-map.ts'

const mostMethods = 30

/** A way to pay: the type that the gateway knows it by, and the name and colour of its button. */
const payMethod = z.object({
  name: z.string().trim().min(1).max(40),
  type: z
    .string()
    .trim()
    .regex(/^[\w.-]{1,40}$/),
  color: z
    .string()
    .trim()
    .max(60)
    .regex(/^(|#[\da-f]{3,8}|[a-z]+|[a-z]+\([\w\s,.%()/-]+\))$/i)
    .default(''),
})
export type PayMethod = z.output<typeof payMethod>

const payMethods = z
  .array(payMethod)
  .max(mostMethods)
  .refine((methods) => new Set(methods.map(({ type }) => type)).size === methods.length)

export const payment = section({
  name: 'payment',
  tab: 'system',
  title: { zh: '支付设置', en: 'Payment' },
  note: {
    zh: '填写支付地址、商户 ID 与密钥后即可在线充值；还需填写服务器地址',
    en: 'Online top-up is available once gateway URL, merchant ID and key are set. The server address is also required.',
  },
  options: {
    PayAddress: address({
      fallback: '',
      see: role.root,
      label: { zh: '支付地址', en: 'Payment gateway' },
      help: { zh: '易支付接口的 URL', en: 'URL of the Epay gateway' },
    }),
    EpayId: text({
      fallback: '',
      see: role.root,
      label: { zh: '易支付商户 ID', en: 'Epay merchant ID' },
    }),
    EpayKey: secret({ label: { zh: '易支付商户密钥', en: 'Epay merchant key' } }),
    CustomCallbackAddress: address({
      fallback: '',
      see: role.root,
      label: { zh: '回调地址', en: 'Callback URL' },
      help: {
        zh: '支付通知使用的地址，留空则使用服务器地址',
        en: 'Base URL for payment notifications. Empty: the server address.',
      },
    }),
    PayMethods: json<PayMethod[]>({
      fallback: [
        { name: '支付宝', type: 'alipay', color: '#1677ff' },
        { name: '微信', type: 'wxpay', color: '#07c160' },
      ],
      schema: payMethods,
      allowed: {
        zh: '[{ "name": 名称, "type": 网关的支付类型, "color": 颜色 }, …]，最多 30 项，类型不可重复',
        en: 'A list like the default, at most 30, each type once',
      },
      label: { zh: '支付方式', en: 'Payment methods' },
      help: {
        zh: '用户可选的支付方式。type 会传给支付网关，如 alipay、wxpay、qqpay、usdt。',
        en: 'Methods offered to users. “type” is passed to the gateway, e.g. alipay, wxpay, qqpay, usdt.',
      },
    }),
    Price: decimal({
      fallback: 7.3,
      min: 0,
      max: 1_000_000,
      status: 'price',
      label: { zh: '充值价格（元 / 美元）', en: 'CNY per dollar of top-up' },
      help: { zh: '充值 1 美元的实付金额', en: 'What users pay for $1 of balance' },
    }),
    MinTopUp: integer({
      fallback: 1,
      min: 1,
      max: 1_000_000,
      unit: 'dollars',
      status: 'min_topup',
      label: { zh: '最低充值金额（美元）', en: 'Minimum top-up' },
      help: { zh: '单次充值的最低金额', en: 'Minimum per top-up' },
    }),
    TopupGroupRatio: ratioMap({
      fallback: defaultTopupGroupRatios,
      allowed: { zh: '{ 分组: 不小于 0 的倍率 }', en: '{ group: ratio of at least 0 }' },
      label: { zh: '充值分组倍率', en: 'Top-up group ratio' },
      help: {
        zh: '各分组的充值价格倍率，缺省或 0 视为 1',
        en: 'Price multiplier for top-ups by group. Missing or 0: 1.',
      },
    }),
  },
})
