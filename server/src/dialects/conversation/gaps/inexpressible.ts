import { AppError } from '../../../lib/app-error.ts'

/**
 * A request that makes no sense without what the provider's dialect or model lacks. The channel is not asked; another one may
 * take the call.
 */
export class InexpressibleError extends AppError {}
