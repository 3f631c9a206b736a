import type { IncomingHttpHeaders } from 'node:http'
import type { Dialect } from '../../dialects/dialect.ts'
import type { ModelList } from '../../dialects/model-list.ts'
import { modelEntry } from '../../providers/model-entry.ts'
import type { Caller, ChannelSnapshot } from '../../relay/ports.ts'

/** Names of the models that a caller may use: its token's, or all of its group. */
export const modelsOf = ({ modelLimits, group }: Caller, snapshot: ChannelSnapshot): readonly string[] =>
  modelLimits === undefined ? snapshot.modelsOf(group) : [...modelLimits].sort()

/** The dialect in which a client asks for models: that of the path, else that of its headers; OpenAI's when undefined. */
export const listingDialect = (
  ofPath: Dialect | undefined,
  headers: IncomingHttpHeaders,
  dialects: readonly Dialect[],
): Dialect | undefined => ofPath ?? dialects.find(({ modelList }) => modelList?.isAskedFor(headers))

const openaiList: Pick<ModelList, 'entry' | 'list'> = {
  entry: modelEntry,
  list: (names) => ({ object: 'list', success: true, data: names.map((name) => modelEntry(name)) }),
}

/** One model in the form of a dialect. */
export const printModel = (dialect: Dialect | undefined, name: string): string =>
  JSON.stringify((dialect?.modelList ?? openaiList).entry(name))

/** The whole list, in one page. */
export const printModels = (dialect: Dialect | undefined, names: readonly string[]): string =>
  JSON.stringify((dialect?.modelList ?? openaiList).list(names))
