import { client } from '@tollgate/contract/errors/error-text'
import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** The operator's side of virtual models: made and changed, tried on logged calls, and shown with the routes of calls. */
export const module = {
  areas: [],
  logEvents: {},
  errors: {
    virtual_model_not_found: client(404, '虚拟模型不存在，请刷新页面', 'No such virtual model; read the page again'),
    virtual_model_taken: client(409, '已有名为 {name} 的虚拟模型', 'There is a virtual model named {name} already'),
    virtual_models_full: client(409, '最多可有 {most} 个虚拟模型', 'There can be {most} virtual models at most'),
    virtual_model_rule_taken: client(400, '规则名称重复：{name}', 'Two rules are named {name}'),
    virtual_model_rule_span: client(
      400,
      '规则 {name} 的提示词长度范围为空',
      'Rule {name} holds for no length of a prompt',
    ),
    virtual_model_rule_empty: client(400, '规则 {name} 没有条件', 'Rule {name} has no condition'),
    virtual_model_dates: client(400, '模型 {model} 的日期范围为空', 'Model {model} ends before it begins'),
  },
} as const satisfies ModuleData
