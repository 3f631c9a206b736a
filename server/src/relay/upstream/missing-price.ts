import { AppError } from '../../lib/app-error.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import type { ErrorBody } from './error-body.ts'

/**
 * A gateway behind this one that has no price for a model. It answers with 500, which official clients repeat, though no repetition
 * brings a price.
 */

/** The code of new-api and its forks, and of this gateway (github.com/QuantumNous/new-api, types/error.go); Claude's form has it as type. */
const code = 'model_price_error'

/** Class names that LiteLLM and clients prepend to messages of an upstream. */
const classes = String.raw`^(?:[\w.]{1,80}(?:Error|Exception)(?:: | - )){0,4}`

/** The beginnings of their messages, of which forks without the code have the same. */
const words: readonly RegExp[] = [
  // new-api, relay/helper/price.go: both languages in one text, or one of them.
  new RegExp(`${classes}模型 .{1,200}? 倍率或价格未配置`),
  new RegExp(`${classes}Model .{1,200}? ratio or price not set(?:,|$)`),
  // LiteLLM, litellm/utils.py (github.com/BerriAI/litellm/issues/8536).
  new RegExp(`${classes}This model isn't mapped yet\\. model=.{1,200}?, custom_llm_provider=`),
]

/** True if an error reports that its sender has no price for the model. */
export const isMissingPrice = ({ error, reason }: Pick<ErrorBody, 'error' | 'reason'>): boolean =>
  error.code === code || error.type === code || words.some((pattern) => pattern.test(reason))

/** The client reads what it would read without a price here; the words of the gateway behind are in `cause`, for the operator. */
export const missingPrice = (model: string, cause: string): CallFailure => {
  const params = { model, advice: ', 请联系管理员设置', advice_en: 'contact administrator to set' }
  return { ...failureOf(new AppError(code, { params })), cause }
}
