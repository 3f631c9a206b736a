/** Sentences of cards about reports that could not be imported, or differ from the log. */
export const reportCardTexts = {
  failed: {
    zh: '“{{source}}”的报表导入失败（{{from}} 至 {{until}}）',
    en: 'The report of {{source}} for {{from}} to {{until}} could not be imported',
  },
  dearer: {
    zh: '“{{source}}”的报表比日志多 {{amount}}（{{from}} 至 {{until}}）',
    en: '{{source}} reports {{amount}} more than the log ({{from}} to {{until}})',
  },
  cheaper: {
    zh: '“{{source}}”的报表比日志少 {{amount}}（{{from}} 至 {{until}}）',
    en: '{{source}} reports {{amount}} less than the log ({{from}} to {{until}})',
  },
  sums: {
    zh: '报表 {{theirs}}，日志 {{ours}}。',
    en: 'Report: {{theirs}}, log: {{ours}}.',
  },
  open: { zh: '查看对账', en: 'Compare' },
  sources: { zh: '报表来源', en: 'Report sources' },
} as const
