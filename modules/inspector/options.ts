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
        { value: 'root', label: { zh: '仅站长', en: 'Root only' } },
        { value: 'off', label: { zh: '关闭', en: 'Nobody' } },
      ],
      label: { zh: '谁可以检查调用', en: 'Who may inspect calls' },
    }),
    InspectorBodyKilobytes: integer({
      fallback: 256,
      min: 1,
      max: 1_024,
      label: { zh: '每个正文保存的 kB', en: 'Max body size stored (kB)' },
    }),
    InspectorTotalMegabytes: integer({
      fallback: 256,
      min: 1,
      max: 100_000,
      label: { zh: '全部捕获的 MB 上限', en: 'Max size of all captures (MB)' },
      help: { zh: '超出时先删除最早且未固定的', en: 'The oldest unpinned captures are deleted first' },
    }),
    InspectorKeepHours: integer({
      fallback: 24,
      min: 1,
      max: 720,
      label: { zh: '捕获保留小时数', en: 'Capture retention (hours)' },
      help: { zh: '固定的捕获保留 30 天', en: 'Pinned ones are kept for 30 days' },
    }),
    InspectorCutFields: list({
      fallback: [],
      label: { zh: '排除的字段', en: 'Redacted fields' },
      help: {
        zh: '每行一个请求头名、JSON 字段名，或如 metadata.user_id、messages.*.content 的路径',
        en: 'One per line: a header, a JSON member, or a path such as metadata.user_id or messages.*.content',
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
