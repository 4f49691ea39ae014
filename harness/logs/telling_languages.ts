/** The same as `telling.ts` for other languages than English: what people say who could not do something. */

/** Each needs words of the speaker, a tool or its data, beside words of trouble, where the language allows to tell. */
const ELSEWHERE: readonly RegExp[] = [
  // Chinese
  /(?:无法|未能|没能|没有能|不能|难以)(?:[^，。；]{0,12})(?:获取|访问|读取|连接|查询|查到|完成|打开|加载|找到|检索|核实|确认|验证|保存|发送|提供|得到|调用|执行|创建|写入|下载|使用|处理|满足)/u,
  /(?:没有|未|没)(?:拿到|查到|获取到|找到|得到|返回|成功|能|获得|收到|更新|完成|保存|发送)/u,
  /(?:调用|请求|查询|搜索|连接|访问|操作|读取|写入|保存|发送|加载|工具|接口|服务|服务器|网站|网页|系统|任务|步骤|下载)[^，。；]{0,14}(?:失败|出错|错误|超时|异常|拒绝|不可用|无响应|没有响应|中断|受限|上限|限制|故障|问题|不成功|没有成功|不上)/u,
  /(?:出现|遇到|发生|返回|报)(?:了|的)?[^，。；]{0,8}(?:错误|故障|异常|问题|失败|超时)/u,
  /(?:抱歉|很遗憾|遗憾的是|对不起|不好意思)/u,
  /(?:没有|无|缺少|缺乏)[^，。；]{0,6}(?:权限|访问权|密钥|实时数据)/u,
  /(?:暂不可用|暂时不可用|暂无法|无法使用|目前无法|仅供参考|估算|估计值|大致|示例数据|模拟数据|并非实际|基于[^，。；]{0,10}(?:知识|经验|记忆)|根据[^，。；]{0,8}(?:已有知识|一般知识|常识|训练数据))/u,
  /(?:稍后|晚些时候|过一会)(?:再|重)?试|(?:手动|自行)(?:处理|操作|查询|核实|完成|保存|发送)/u,
  // Japanese, Korean
  /(?:できません|できなかった|取得できず|失敗し|エラーが|利用できな|接続でき|申し訳|残念ながら|見つかりません|タイムアウト|アクセスでき)/u,
  /(?:할 수 없|못했습니다|실패|오류가|죄송|사용할 수 없|시간 초과|접근할 수)/u,
  // Spanish, Portuguese, Italian
  /\bno (?:he|hemos|pude|pudimos|fue posible|es posible|se pudo|se ha podido|logré|consegu[ií]|está disponible|disponible|tengo acceso|responde)\b|\b(?:lamentablemente|desafortunadamente|lo siento|por desgracia)\b|\b(?:falló|fallaron|fallado|error de (?:conexión|servidor|red|autenticación)|error del servidor|inaccesible|tiempo de espera)\b|\bconocimiento general\b/u,
  /(?<![\p{L}])(?:não (?:consegui|foi possível|pude|está disponível|tenho acesso|respondeu)|infelizmente|desculpe|falhou|indisponível|erro (?:de|no|do) (?:conexão|servidor|rede)|conhecimento geral)(?![\p{L}])/u,
  /\b(?:non (?:sono riuscit[oa]|ho potuto|è stato possibile|è disponibile|risponde)|purtroppo|mi dispiace|non riesco|errore (?:di|del) (?:rete|server|connessione))\b/u,
  // German, Dutch
  /\b(?:konnte|konnten|kann|können)\b[^.;]{0,80}\b(?:nicht|keine[nrms]?)\b|\b(?:leider|bedauerlicherweise)\b|\bfehlgeschlagen\b|\b(?:nicht|kaum) (?:erreichbar|verfügbar|geklappt|möglich|abrufbar|erreichen|abrufen|zugreifen)\b|\bantwortet\b[^.;]{0,20}\bnicht\b|\babgelehnt\b|\ballgemeine[mns]? wissen\b|\bzeitüberschreitung\b/u,
  /\b(?:helaas|kon(?:den)? (?:ik|we)? ?[^.;]{0,40}niet|mislukt|niet (?:beschikbaar|bereikbaar|gelukt))\b/u,
  // French
  /(?<![\p{L}])(?:malheureusement|désolée?|je n['’]ai pas (?:pu|réussi)|nous n['’]avons pas (?:pu|réussi)|je ne (?:peux|parviens|dispose)|a échoué|ont échoué|n['’]est pas (?:disponible|accessible)|impossible (?:de|d['’])|indisponible|erreur (?:de|du) (?:connexion|serveur|réseau)|connaissances générales|n['’]a pas (?:répondu|fonctionné))(?![\p{L}])/u,
  // Russian
  /(?:не удалось|к сожалению|не смог|не могу|невозможно|недоступ|извините|ошибк[аиу] (?:сервера|сети|доступа|соединения)|не отвеча|превышен)/u,
];

/** Whether a sentence tells of something that came to nothing, in another language than English. In small letters. */
export function isTellingElsewhere(plain: string): boolean {
  return ELSEWHERE.some((pattern) => pattern.test(plain));
}
