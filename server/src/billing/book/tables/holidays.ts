/**
 * Public holidays of mainland China from Monday to Friday, on which DeepSeek has no hours of peak
 * (api-docs.deepseek.com/zh-cn/quick_start/pricing). Of 2026 as the State Council announced them
 * (www.gov.cn/zhengce/zhengceku/202511/content_7047091.htm); of 2027, which was not announced in November 2026, the days that the
 * law fixes.
 */
export const chineseHolidays: readonly string[] = [
  '2026-09-25',
  '2026-10-01',
  '2026-10-02',
  '2026-10-05',
  '2026-10-06',
  '2026-10-07',
  '2027-01-01',
  '2027-02-05',
  '2027-02-08',
  '2027-04-05',
  '2027-06-09',
  '2027-09-15',
  '2027-10-01',
]
