import { importNotes, mostImportExamples, type SiteImportReport } from '@tollgate/contract'

type Reader = 'zh' | 'en'

const words = {
  zh: {
    kinds: {
      option: '设置',
      user: '用户',
      organisation: '组织',
      team: '团队',
      project: '项目',
      member: '成员',
      token: '令牌',
      channel: '渠道',
      virtual_model: '虚拟模型',
      code: '兑换码',
      second_factor: '两步验证',
      limit: '限额',
      log: '日志',
    },
    sums: {
      user_quota: '用户余额',
      user_used: '用户花费',
      aff_quota: '邀请收益',
      wallet_quota: '组织余额',
      wallet_used: '组织花费',
      token_remain: '令牌余额',
      token_used: '令牌花费',
      code_quota: '兑换码金额',
    },
    head: ['', '来源', '已导入', '此前已导入', '未导入'],
    wouldMove: '将导入',
    before: '来源',
    after: '本站',
    same: '一致',
    differs: '不一致',
    dry: '试运行：没有写入任何内容。',
    done: '导入完成。',
  },
  en: {
    kinds: {
      option: 'settings',
      user: 'users',
      organisation: 'organisations',
      team: 'teams',
      project: 'projects',
      member: 'members',
      token: 'API keys',
      channel: 'channels',
      virtual_model: 'virtual models',
      code: 'redemption codes',
      second_factor: 'authenticators',
      limit: 'limits',
      log: 'logs',
    },
    sums: {
      user_quota: 'user balances',
      user_used: 'user spend',
      aff_quota: 'invite earnings',
      wallet_quota: 'organisation balances',
      wallet_used: 'organisation spend',
      token_remain: 'API key budgets left',
      token_used: 'API key spend',
      code_quota: 'redemption code value',
    },
    head: ['', 'found', 'imported', 'already there', 'skipped'],
    wouldMove: 'to import',
    before: 'source',
    after: 'here',
    same: 'same',
    differs: 'DIFFERS',
    dry: 'Dry run: nothing was written.',
    done: 'Import complete.',
  },
} as const

const row = (cells: readonly string[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(26) : cell.padStart(16))).join('')

/** A report as lines for a terminal. */
export const reportText = (report: SiteImportReport, reader: Reader): string => {
  const own = words[reader]
  const [empty, found, moved, known, left] = own.head
  const head = [empty, found, report.dry_run ? own.wouldMove : moved, known, left]
  const counts = report.counts.map(({ kind, found, carried, known, left }) =>
    row([own.kinds[kind], String(found), String(carried), String(known), String(left)]),
  )
  const sums = report.sums.map(({ name, before, after }) => {
    const compared = after === null ? [] : [String(after), after === before ? own.same : own.differs]
    return row([own.sums[name], String(before), ...compared])
  })
  const notes = report.notes.map(({ code, count, examples }) => {
    const more = count > examples.length && examples.length === mostImportExamples ? ', …' : ''
    return `- ${importNotes[code][reader]} (${count}): ${examples.join(', ')}${more}`
  })
  return [
    row(head),
    ...counts,
    '',
    row(['', own.before, ...(report.dry_run ? [] : [own.after])]),
    ...sums,
    '',
    ...notes,
    '',
    report.dry_run ? own.dry : own.done,
  ].join('\n')
}
