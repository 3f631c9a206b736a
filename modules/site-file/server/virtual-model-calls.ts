import { virtualModel, virtualModelChange } from '@tollgate/contract/channels/virtual-models'
import { endpoint } from '@tollgate/contract/endpoint'
import { idParams } from '@tollgate/contract/page'

/** Calls of a running site that change its virtual models: another module answers them, whose contract is not imported here. */
export const addVirtualModel = endpoint({
  method: 'POST',
  path: '/api/virtual-models',
  access: 'admin',
  summary: 'Makes a virtual model',
  body: virtualModelChange,
  data: virtualModel,
})

export const changeVirtualModel = endpoint({
  method: 'PUT',
  path: '/api/virtual-models/:id',
  access: 'admin',
  summary: 'Changes a virtual model',
  params: idParams,
  body: virtualModelChange,
  data: virtualModel,
})

export const removeVirtualModel = endpoint({
  method: 'DELETE',
  path: '/api/virtual-models/:id',
  access: 'admin',
  summary: 'Deletes a virtual model',
  params: idParams,
})
