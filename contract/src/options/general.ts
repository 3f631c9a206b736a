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
      help: { zh: '外部发卡网站的链接', en: 'Address of an external shop for redemption codes' },
    }),
    'general_setting.docs_link': text({
      fallback: '',
      status: 'docs_link',
      schema: z
        .string()
        .trim()
        .max(2_000)
        .regex(/^$|^\/(?!\/)\S*$|^https?:\/\/\S+$/i),
      allowed: { zh: '空、以 / 开头的路径，或 http(s) 地址', en: 'Empty, a path with / or an http(s) address' },
      label: { zh: '文档地址', en: 'Documentation link' },
      help: { zh: '留空则不显示顶栏的文档入口', en: 'The docs entry of the top bar; hidden when empty' },
    }),
    QuotaPerUnit: decimal({
      fallback: 500_000,
      min: 1,
      max: 1_000_000_000,
      unit: 'quota',
      status: 'quota_per_unit',
      label: { zh: '单位美元额度', en: 'Quota per dollar' },
      help: { zh: '一单位货币对应的额度', en: 'Quota units that make one unit of currency' },
      risk: {
        zh: '单位额度是系统内部的计量单位，修改后所有已有余额与价格的货币含义都会改变，不建议修改',
        en: 'This is the internal unit of account: changing it changes what every balance and price is worth in currency',
      },
    }),
    RetryTimes: integer({
      fallback: 0,
      min: 0,
      max: 100,
      label: { zh: '失败重试次数', en: 'Retries after a failure' },
      help: { zh: '请求失败后在其他渠道上再尝试的次数', en: 'Further attempts on other channels when a call fails' },
    }),
    DisplayInCurrencyEnabled: flag({
      fallback: true,
      status: 'display_in_currency',
      label: { zh: '以货币形式显示额度', en: 'Show quota as currency' },
      help: {
        zh: '同时决定充值数量以货币还是额度为单位',
        en: 'Also decides whether top-up amounts are currency or quota',
      },
    }),
    DisplayTokenStatEnabled: flag({
      fallback: true,
      label: { zh: '额度查询接口返回令牌额度而非用户额度', en: 'Billing endpoints report the key instead of the user' },
      help: {
        zh: '影响兼容 OpenAI 的账单查询接口',
        en: 'What the OpenAI-style billing endpoints answer',
      },
    }),
    PublicModelMeasures: flag({
      fallback: false,
      label: { zh: '向访客公开模型的速度与可用率', en: 'Show speed and uptime of models to visitors' },
      help: {
        zh: '模型目录中近 30 天的首字、输出速度和可用率；登录用户始终可见',
        en: 'First token, output speed and uptime of the last 30 days in the catalogue of models; users always see them',
      },
    }),
    DefaultCollapseSidebar: flag({
      fallback: false,
      status: 'default_collapse_sidebar',
      label: { zh: '默认折叠侧边栏', en: 'Collapse the sidebar by default' },
      help: { zh: '用户自己的选择优先', en: 'Until a user chooses otherwise' },
    }),
    DemoSiteEnabled: flag({
      fallback: false,
      status: 'demo_site_enabled',
      label: { zh: '演示站点模式', en: 'Demo site' },
      help: {
        zh: '登录后只能查看，任何修改都会被拒绝；控制台会标明这是演示站点',
        en: 'People can sign in and look, but change nothing; the console says that this is a demo site',
      },
      risk: {
        zh: '开启后，包括你在内的所有人都不能修改任何内容；只有超级管理员从本机或内网（不经反向代理）才能关闭。',
        en: 'Nobody, you included, can change anything then. Only the super admin can switch it off again, from this machine or its private network and not through a reverse proxy.',
      },
    }),
    SelfUseModeEnabled: flag({
      fallback: false,
      status: 'self_use_mode_enabled',
      label: { zh: '自用模式', en: 'Self-use mode' },
      help: {
        zh: '隐藏注册入口；未设置价格的模型按倍率 37.5 计费而不是拒绝',
        en: 'Hides registration; models without a price are billed at ratio 37.5 instead of refused',
      },
    }),
  },
})
