import { z } from 'zod'
import { defaultGroupRatios, defaultUserUsableGroups } from '../prices.ts'
import { json, section } from './kinds.ts'
import { ratioMap } from './ratio-map.ts'

export const groups = section({
  name: 'groups',
  tab: 'operation',
  title: { zh: '分组设置', en: 'Groups' },
  options: {
    GroupRatio: ratioMap({
      // Without any group no call would be served.
      least: 1,
      fallback: defaultGroupRatios,
      allowed: { zh: '{ 分组: 不小于 0 的倍率 }', en: '{ group: ratio of at least 0 }' },
      label: { zh: '分组倍率', en: 'Group ratio' },
      help: {
        zh: '键为分组名称，值为倍率；此处列出的分组才存在',
        en: 'Group name and factor of every price; groups exist by being listed here',
      },
    }),
    UserUsableGroups: json<Readonly<Record<string, string>>>({
      fallback: defaultUserUsableGroups,
      schema: z.record(z.string().min(1), z.string()),
      allowed: { zh: '{ 分组: 描述 }', en: '{ group: description }' },
      label: { zh: '用户可选分组', en: 'Groups that users may choose' },
      help: {
        zh: '键为分组名称，值为分组描述；用户自己所在的分组总是可选',
        en: 'Group name and description; a user can always choose the own group',
      },
    }),
  },
})
