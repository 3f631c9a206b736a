import { numbersIn, usageStated } from '../../billing/declared/usage-stated.ts'
import { readCohereResults, writeCohereRerank } from '../cohere/rerank.ts'
import type { RerankDialect } from '../media/rerank.ts'

const documentsPerUnit = 100

/**
 * Rerankers of Amazon and Cohere at Bedrock (docs.aws.amazon.com/bedrock/latest/userguide/rerank-supported.html). Answers report
 * no usage: a number in them is unknown. Bedrock bills a query once per hundred documents.
 */
export const bedrockRerank: RerankDialect = {
  write(request, unsupported) {
    const version = request.model.includes('cohere.') ? { api_version: 2 } : {}
    return { ...writeCohereRerank(request, unsupported), ...version }
  },
  read: (json, { documents }) => ({
    results: readCohereResults(json),
    usage: usageStated('titan', { ...numbersIn(json), usage: json.usage }),
    searchUnits: Math.max(1, Math.ceil(documents.length / documentsPerUnit)),
  }),
}
