import { AppError } from '../app-error.ts'
import type { BoundName, ExceededBound } from './json-bounds.ts'

const names: Readonly<Record<BoundName, readonly [zh: string, en: string]>> = {
  depth: ['嵌套层数', 'levels of nesting'],
  members: ['字段数', 'members of objects'],
  containers: ['对象和数组数', 'objects and lists'],
  texts: ['字符串数', 'texts'],
  values: ['值的数量', 'values'],
  entries: ['条目数', 'entries'],
  parts: ['内容块数', 'parts'],
}

/** The error for a body that exceeds a bound; it names the bound and its limit. */
export const boundError = ({ bound, list, limit }: ExceededBound): AppError => {
  const [zh, en] = names[bound]
  const params = list === '' ? { what: zh, what_en: en } : { what: `${list} 的${zh}`, what_en: `${en} in ${list}` }
  return new AppError('body_too_complex', { params: { ...params, limit } })
}
