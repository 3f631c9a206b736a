import { choice, integer, list, section } from '@tollgate/contract/options/kinds'

const inspector = section({
  name: 'inspector',
  tab: 'operation',
  title: { zh: '调用检查', en: 'Inspector' },
  behind: { section: 'monitoring', position: 1 },
  options: {
    InspectorAccess: choice({
      fallback: 'admin',
      choices: [
        { value: 'admin', label: { zh: '管理员', en: 'Administrators' } },
        { value: 'root', label: { zh: '仅超级管理员', en: 'Root only' } },
        { value: 'off', label: { zh: '关闭', en: 'Off' } },
      ],
      label: { zh: '调用检查权限', en: 'Who can inspect calls' },
    }),
    InspectorBodyKilobytes: integer({
      fallback: 256,
      min: 1,
      max: 1_024,
      label: { zh: '单个正文的最大保存大小（kB）', en: 'Max body size stored (kB)' },
    }),
    InspectorTotalMegabytes: integer({
      fallback: 256,
      min: 1,
      max: 100_000,
      label: { zh: '全部记录的大小上限（MB）', en: 'Max size of all captures (MB)' },
      help: { zh: '超出时先删除最早且未固定的', en: 'The oldest unpinned captures are deleted first' },
    }),
    InspectorKeepHours: integer({
      fallback: 24,
      min: 1,
      max: 720,
      label: { zh: '记录保留时间（小时）', en: 'Capture retention (hours)' },
      help: { zh: '固定的记录保留 30 天', en: 'Pinned captures are kept for 30 days' },
    }),
    InspectorCutFields: list({
      fallback: [],
      label: { zh: '排除的字段', en: 'Redacted fields' },
      help: {
        zh: '每行一个请求头名、JSON 字段名，或如 metadata.user_id、messages.*.content 的路径',
        en: 'One per line: a header, a JSON field, or a path such as metadata.user_id or messages.*.content',
      },
    }),
    InspectorSandboxUserId: integer({
      fallback: 0,
      min: 0,
      label: { zh: '沙箱用户 ID', en: 'Sandbox user ID' },
      help: {
        zh: '重放的调用由此用户付费；0 表示由操作者付费',
        en: 'Pays for replayed calls. 0: whoever replays them pays.',
      },
    }),
  },
})

export const sections = [inspector] as const
