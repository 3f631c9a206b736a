import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** The operator's side of virtual models: made and changed, tried on logged calls, and shown with the routes of calls. */
export const module = {
  areas: [],
  logEvents: {},
  errors: {
    virtual_model_not_found: client(404, '虚拟模型不存在，请刷新页面', 'Virtual model not found. Reload the page.'),
    virtual_model_taken: client(409, '已有名为 {name} 的虚拟模型', 'A virtual model named {name} already exists'),
    virtual_models_full: client(
      409,
      '虚拟模型数量已达上限：{most} 个',
      'You have reached the limit of {most} virtual models',
    ),
    virtual_model_rule_taken: client(400, '规则名称重复：{name}', 'Two rules have the same name: {name}'),
    virtual_model_rule_span: client(
      400,
      '规则 {name} 的提示词长度范围为空',
      'The prompt length range of rule {name} is empty',
    ),
    virtual_model_rule_empty: client(400, '规则 {name} 没有条件', 'Rule {name} has no condition'),
    virtual_model_dates: client(
      400,
      '模型 {model} 的截止日期早于起始日期',
      'The end date of model {model} is before its start date',
    ),
  },
} as const satisfies ModuleData
