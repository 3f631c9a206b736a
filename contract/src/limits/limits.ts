import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../page.ts'
import { limit, limitChange, ownLimitChange } from './limit-rule.ts'

export const listLimits = endpoint({
  method: 'GET',
  path: '/api/limits',
  access: 'admin',
  summary: 'Limits and budgets of the site and of users on their own keys, by name',
  data: z.array(limit),
})

export const createLimit = endpoint({
  method: 'POST',
  path: '/api/limits',
  access: 'admin',
  summary: 'Makes a limit; 1,000 at most',
  body: limitChange,
  data: limit,
})

export const updateLimit = endpoint({
  method: 'PUT',
  path: '/api/limits/:id',
  access: 'admin',
  summary: 'Changes a limit; what was counted stays counted while measure, window and subjects stay',
  params: idParams,
  body: limitChange,
  data: limit,
})

export const deleteLimit = endpoint({
  method: 'DELETE',
  path: '/api/limits/:id',
  access: 'admin',
  summary: 'Deletes a limit and what was counted for it',
  params: idParams,
})

export const listOwnLimits = endpoint({
  method: 'GET',
  path: '/api/limits/self',
  access: 'user',
  summary: 'Limits that a user has set on own keys, by name',
  data: z.array(limit),
})

export const createOwnLimit = endpoint({
  method: 'POST',
  path: '/api/limits/self',
  access: 'user',
  summary: 'Limits an own key, which is the first subject; 50 at most',
  body: ownLimitChange,
  data: limit,
})

export const updateOwnLimit = endpoint({
  method: 'PUT',
  path: '/api/limits/self/:id',
  access: 'user',
  summary: 'Changes a limit of an own key',
  params: idParams,
  body: ownLimitChange,
  data: limit,
})

export const deleteOwnLimit = endpoint({
  method: 'DELETE',
  path: '/api/limits/self/:id',
  access: 'user',
  summary: 'Deletes a limit of an own key',
  params: idParams,
})
