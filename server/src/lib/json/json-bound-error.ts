import type { BilingualText } from '@tollgate/contract'
import { AppError } from '../app-error.ts'
import type { BoundName, ExceededBound } from './json-bounds.ts'

const names: Readonly<Record<BoundName, BilingualText>> = {
  depth: { zh: '嵌套层数', en: 'levels of nesting' },
  members: { zh: '字段数', en: 'members of objects' },
  containers: { zh: '对象和数组数', en: 'objects and lists' },
  texts: { zh: '字符串数', en: 'texts' },
  values: { zh: '值的数量', en: 'values' },
  entries: { zh: '条目数', en: 'entries' },
  parts: { zh: '内容块数', en: 'parts' },
}

/** The error for a body that exceeds a bound; it names the bound and its limit. */
export const boundError = ({ bound, list, limit }: ExceededBound): AppError => {
  const { zh, en } = names[bound]
  const params = list === '' ? { what: zh, what_en: en } : { what: `${list} 的${zh}`, what_en: `${en} in ${list}` }
  return new AppError('body_too_complex', { params: { ...params, limit } })
}
