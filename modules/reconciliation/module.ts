import { client, gateway, upstream } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Providers' reports of usage and cost, compared with the log by day and model, and what explains each difference. */
export const module = {
  areas: [['/api/reconciliation', 'billing']],
  logEvents: {},
  errors: {
    report_source_key: client(400, '请填写该来源的密钥', 'This source needs a key'),
    report_source_address: client(400, '请填写另一面板的地址', 'Enter the address of the other panel'),
    report_source_file: client(400, '请选择该来源的报表文件', 'This source needs a report file'),
    report_period: client(400, '请选择起止日期，最多 {days} 天', 'Choose the first and last day, up to {days} days'),
    report_running: client(409, '该来源的这段时间正在导入', 'This source and period are already being imported'),
    report_too_large: client(
      413,
      '报表文件超过 {megabytes} MB，请按月或按产品拆分后导入',
      'The report file exceeds {megabytes} MB. Split it by month, or export only the AI services.',
    ),
    report_too_long: client(
      413,
      '报表超过 {lines} 行，请缩短时间范围',
      'The report has more than {lines} rows. Choose a shorter period.',
    ),
    report_columns: client(400, '报表缺少列：{columns}', 'The report has no column {columns}'),
    report_line: client(
      400,
      '报表第 {line} 行的 {column} 无法读取',
      'Line {line} of the report: {column} cannot be read',
    ),
    report_empty: client(400, '报表中没有可以对账的行', 'The report has no rows to reconcile'),
    report_no_calls: upstream(
      502,
      '提供商没有这段时间的调用记录（查询了 {calls} 次）：请检查渠道，以及密钥是否属于同一账户',
      'The provider has no record of the {calls} calls checked. Check the channels, and that the key belongs to the same account.',
    ),
    report_currency: client(
      400,
      '报表的货币是 {currency}：请填写多少 {currency} 等于一美元',
      'The report is in {currency}. Enter how many {currency} equal one US dollar.',
    ),
    report_refused: upstream(
      502,
      '提供商拒绝了该密钥（状态码 {status}）：请检查是否为管理密钥',
      'The provider rejected the key (status {status}). Reports need an admin key.',
    ),
    report_rate_limited: upstream(502, '提供商限流，请稍后再试', 'The provider is rate limiting. Try again later.'),
    report_unreachable: upstream(502, '读取报表失败：{reason}', 'Couldn’t read the report: {reason_en}'),
    report_no_json: upstream(502, '提供商的报表不是 JSON', 'The provider’s report isn’t JSON'),
    report_pages: upstream(502, '提供商的报表超过 {pages} 页', 'The provider’s report has more than {pages} pages'),
    report_unreadable: upstream(
      502,
      '提供商的报表格式无法读取：{reason}',
      'The report of the provider cannot be read: {reason}',
    ),
    report_interrupted: gateway(500, '导入被中断，请重新导入', 'The import was interrupted, import it again'),
  },
} as const satisfies ModuleData
