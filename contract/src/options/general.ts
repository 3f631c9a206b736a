import { z } from 'zod'
import { address, decimal, flag, integer, section, text } from './kinds.ts'

export const general = section({
  name: 'general',
  tab: 'operation',
  title: { zh: '通用设置', en: 'General' },
  options: {
    TopUpLink: address({
      fallback: '',
      status: 'top_up_link',
      label: { zh: '充值链接', en: 'Top-up link' },
      help: { zh: '销售兑换码的外部网站', en: 'URL of an external shop that sells redemption codes' },
    }),
    'general_setting.docs_link': text({
      fallback: '',
      status: 'docs_link',
      schema: z
        .string()
        .trim()
        .max(2_000)
        .regex(/^$|^\/(?!\/)\S*$|^https?:\/\/\S+$/i),
      allowed: { zh: '留空、以 / 开头的路径，或 http(s) URL', en: 'Empty, a path starting with /, or an http(s) URL' },
      label: { zh: '文档地址', en: 'Documentation link' },
      help: { zh: '顶栏的文档链接，留空则不显示', en: 'Docs link in the top bar. Empty: hidden.' },
    }),
    QuotaPerUnit: decimal({
      fallback: 500_000,
      min: 1,
      max: 1_000_000_000,
      unit: 'quota',
      status: 'quota_per_unit',
      label: { zh: '单位美元额度', en: 'Quota per dollar' },
      help: { zh: '一单位货币对应的内部额度', en: 'Internal quota per unit of currency' },
      risk: {
        zh: '修改后，所有余额与价格的实际金额都会改变',
        en: 'Changing this changes the value of all balances and prices',
      },
    }),
    RetryTimes: integer({
      fallback: 0,
      min: 0,
      max: 100,
      label: { zh: '失败重试次数', en: 'Retries' },
      help: { zh: '请求失败后，在其他渠道上重试的次数', en: 'How many other channels to try when a call fails' },
    }),
    DisplayInCurrencyEnabled: flag({
      fallback: true,
      status: 'display_in_currency',
      label: { zh: '以货币形式显示额度', en: 'Show amounts as currency' },
      help: {
        zh: '同时适用于充值数量；关闭时以额度为单位',
        en: 'Also applies to top-up amounts. Off: quota.',
      },
    }),
    DisplayTokenStatEnabled: flag({
      fallback: true,
      label: { zh: '额度查询接口返回令牌额度而非用户额度', en: 'Report key budget on billing endpoints' },
      help: {
        zh: '兼容 OpenAI 的账单接口返回令牌额度；关闭时返回用户余额',
        en: 'OpenAI-compatible billing endpoints return the key’s budget. Off: the user’s balance.',
      },
    }),
    PublicModelMeasures: flag({
      fallback: false,
      label: { zh: '向访客公开模型的速度与可用率', en: 'Show model speed and uptime to visitors' },
      help: {
        zh: '近 30 天的首字时间、输出速度和可用率；登录用户始终可见',
        en: 'First-token latency, output speed and uptime of the last 30 days. Signed-in users always see them.',
      },
    }),
    DefaultCollapseSidebar: flag({
      fallback: false,
      status: 'default_collapse_sidebar',
      label: { zh: '默认折叠侧边栏', en: 'Collapse the sidebar by default' },
      help: { zh: '用户可自行更改', en: 'Users can change this for themselves' },
    }),
    DemoSiteEnabled: flag({
      fallback: false,
      status: 'demo_site_enabled',
      label: { zh: '演示站点模式', en: 'Demo site' },
      help: {
        zh: '只读：可以登录查看，但不能修改；控制台会显示演示标识',
        en: 'Read-only: users can sign in but change nothing. The console shows a demo badge.',
      },
      risk: {
        zh: '开启后，包括你在内的所有人都不能修改任何内容；只有超级管理员从本机或内网（不经反向代理）才能关闭。',
        en: 'No one, including you, will be able to make changes. Only the super admin can turn it off, from this machine or its private network, not through a reverse proxy.',
      },
    }),
    SelfUseModeEnabled: flag({
      fallback: false,
      status: 'self_use_mode_enabled',
      label: { zh: '自用模式', en: 'Self-use mode' },
      help: {
        zh: '隐藏注册入口；没有价格的模型按倍率 37.5 计费，不再拒绝',
        en: 'Hides registration. Models without a price are billed at ratio 37.5 instead of being rejected.',
      },
    }),
  },
})
