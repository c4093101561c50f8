# SPDX-License-Identifier: MIT
"""Writes small faults into C++ sources, each behind `klm::on(ID)` (mutate.h). The sources are read with tree-sitter's C++ grammar."""
import hashlib
import re

import tree_sitter_cpp
from tree_sitter import Language, Parser

# What each kind does, and the share of its places that become faults, in percent, where all of them are sampled at the same rate.
KINDS = {
    "boundary": ("< becomes <=, > becomes >=, and the reverse", 45),
    "equal": ("== becomes !=, and the reverse", 12),
    "arithmetic": ("+ becomes -, * becomes /, and the reverse", 55),
    "left": ("the left side of && or || is left out", 35),
    "right": ("the right side of && or || is left out", 45),
    "never": ("the condition of this if is never true", 40),
    "choice": ("the condition of ?: is negated", 45),
    "statement": ("this statement is left out", 22),
    "number": ("this number is one more; a fraction, half as much again", 30),
    "answer": ("the bool that is returned is negated", 35),
    "member": ("this member is left empty", 40),
    "minimum": ("min becomes max, and the reverse", 100),
    "end": ("front becomes back, and the reverse", 100),
    "all": ("any_of becomes all_of, and the reverse", 100),
}
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
INSTEAD = {"std::min": ("std::max", "minimum"), "std::max": ("std::min", "minimum"), "std::ranges::any_of": ("std::ranges::all_of", "all"),
           "std::ranges::all_of": ("std::ranges::any_of", "all")}
# What has to be known when compiling, or is text.
LEFT_ALONE = {
    "alias_declaration", "alignas_qualifier", "array_declarator", "attribute_declaration", "bitfield_clause", "char_literal",
    "concatenated_string", "concept_definition", "decltype", "enumerator", "noexcept", "optional_parameter_declaration", "preproc_call",
    "preproc_def", "preproc_function_def", "preproc_if", "preproc_ifdef", "preproc_include", "raw_string_literal", "requires_clause",
    "requires_expression", "sizeof_expression", "static_assert_declaration", "string_literal", "template_argument_list",
    "template_parameter_list", "type_descriptor", "using_declaration"}
MADE_OF_PARTS = {"argument_list", "call_expression", "compound_statement", "declaration", "else_clause", "expression_statement", "for_range_loop",
                 "for_statement", "if_statement", "init_declarator", "lambda_expression", "return_statement", "while_statement"}
parser = Parser(Language(tree_sitter_cpp.language()))


class Faults:
    """The faults of all files: `sites` has a dict each. A fault in `refused` keeps its number and is not written (it does not compile)."""

    def __init__(self, rate, refused=()):
        self.sites, self.rate, self.refused = [], rate, set(refused)

    def at(self, kind, file, node, function):
        """The number of a fault here, or 0 where this place is left out of the sample."""
        key = f"{file}:{node.start_byte}:{kind}"
        if int(hashlib.sha1(key.encode()).hexdigest(), 16) % 1000 >= 10 * KINDS[kind][1] * self.rate:
            return 0
        text = " ".join(node.text.decode().split())[:120]
        self.sites.append({"id": len(self.sites) + 1, "key": key, "kind": kind, "file": file, "line": node.start_point[0] + 1,
                           "function": function, "text": text, "refused": key in self.refused})
        return 0 if key in self.refused else len(self.sites)


def is_constant(node):
    """constexpr and the like: of a function or of a declaration."""
    head = node.text.split(b"{")[0].split(b"=")[0]
    return re.search(rb"\b(constexpr|consteval|constinit)\b", head) is not None


class Rewriter:
    """Writes the faults of one file."""

    def __init__(self, faults, file, source):
        self.faults, self.file, self.source, self.function = faults, file, source, ""
        self.returns_bool, self.inside = False, False

    def text(self):
        return self.write(parser.parse(self.source).root_node)

    def raw(self, node):
        return node.text.decode()

    def between(self, start, end):
        return self.source[start:end].decode()

    def fault(self, kind, node):
        return self.faults.at(kind, self.file, node, self.function)

    def parts(self, node, write=None):
        """The node with its children written."""
        out, at = [], node.start_byte
        for child in node.children:
            out += [self.between(at, child.start_byte), (write or self.write)(child)]
            at = child.end_byte
        return "".join(out) + self.between(at, node.end_byte)

    def write(self, node):
        kind = node.type
        if kind in LEFT_ALONE or (node.child_count == 0 and kind != "number_literal"):
            return self.raw(node)
        if kind in ("declaration", "field_declaration", "function_definition", "lambda_expression") and is_constant(node):
            return self.raw(node)
        if self.inside and node.has_error and kind not in MADE_OF_PARTS:
            return self.raw(node)
        method = getattr(self, "write_" + kind, None)
        return method(node) if method and (self.inside or kind == "function_definition") else self.parts(node)

    def body(self, node, returns_bool, function):
        """A function or lambda: only its body is written."""
        body = node.child_by_field_name("body")
        if body is None or body.type != "compound_statement":
            return self.raw(node)
        before = self.function, self.returns_bool, self.inside
        self.function, self.returns_bool, self.inside = function, returns_bool, True
        text = self.between(node.start_byte, body.start_byte) + self.parts(body) + self.between(body.end_byte, node.end_byte)
        self.function, self.returns_bool, self.inside = before
        return text

    def write_function_definition(self, node):
        of, declarator = node.child_by_field_name("type"), node.child_by_field_name("declarator")
        return self.body(node, of is not None and self.raw(of) == "bool", self.raw(declarator).split("(")[0].strip() if declarator else "")

    def write_lambda_expression(self, node):
        head = self.between(node.start_byte, node.child_by_field_name("body").start_byte)
        return self.body(node, re.search(r"->\s*bool\s*$", head) is not None, self.function)

    def write_case_statement(self, node):
        value = node.child_by_field_name("value")
        return self.parts(node, lambda child: self.raw(child) if value is not None and child == value else self.write(child))

    def write_for_statement(self, node):
        body = node.child_by_field_name("body")  # its bounds are left alone: most of their faults never end
        return self.parts(node, lambda child: self.write(child) if child == body else self.raw(child))

    def write_binary_expression(self, node):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = self.raw(node.child_by_field_name("operator"))
        a, b = self.write(left), self.write(right)
        has_lambda, has_text = b"[" in node.text and b"{" in node.text, b'"' in node.text or b"'" in node.text
        if operator in BOUNDARY and not has_lambda:
            if found := self.fault("boundary", node):
                return f"(klm::on({found}) ? ({a} {BOUNDARY[operator]} {b}) : ({a} {operator} {b}))"
        elif operator in ("==", "!=") and b"nullptr" not in node.text:
            if found := self.fault("equal", node):
                return f"(klm::on({found}) != ({a} {operator} {b}))"
        elif operator in ("+", "-", "*", "/") and not has_lambda and not has_text:
            if found := self.fault("arithmetic", node):
                return f"klm::arithmetic<'{operator}'>({found}, {a}, {b})"
        elif operator in ("&&", "||"):
            whether = "klm::on({}) ||" if operator == "&&" else "!klm::on({}) &&"
            chained = left.type == "binary_expression" and self.raw(left.child_by_field_name("operator")) == operator
            if not chained and (found := self.fault("left", node)):
                a = f"({whether.format(found)} ({a}))"
            if found := self.fault("right", node):
                b = f"({whether.format(found)} ({b}))"
        return self.parts(node, lambda child: a if child == left else b if child == right else self.raw(child))

    def write_if_statement(self, node):
        condition = node.child_by_field_name("condition")
        value = condition.child_by_field_name("value") if condition else None
        if any(child.type == "constexpr" for child in node.children):
            return self.parts(node)
        sound = value is not None and value.type not in ("declaration", "comma_expression") and not value.has_error

        def write(child):
            if child != condition or not sound:
                return self.write(child)
            found, text = self.fault("never", value), self.write(value)
            if found:
                text = f"(({text}) && !klm::on({found}))"
            return self.between(child.start_byte, value.start_byte) + text + self.between(value.end_byte, child.end_byte)
        return self.parts(node, write)

    def write_conditional_expression(self, node):
        condition = node.child_by_field_name("condition")
        found = 0 if condition.has_error else self.fault("choice", node)
        if not found:
            return self.parts(node)
        return self.parts(node, lambda child: f"(static_cast<bool>({self.write(child)}) != klm::on({found}))" if child == condition
                          else self.write(child))

    def write_expression_statement(self, node):
        inner = node.named_children[0] if node.named_child_count == 1 else None
        if inner is None or inner.type not in ("call_expression", "assignment_expression", "update_expression") or node.has_error:
            return self.parts(node)
        called = inner.child_by_field_name("function") if inner.type == "call_expression" else None
        if called is not None and re.fullmatch(r"[A-Z][A-Z0-9_]+", self.raw(called)):  # a macro may declare something
            return self.parts(node)
        found = self.fault("statement", node)
        return f"{{ if (!klm::on({found})) {self.parts(node)} }}" if found else self.parts(node)

    def write_number_literal(self, node):
        text = self.raw(node)
        if node.parent.type in ("case_statement", "pointer_expression", "subscript_designator", "user_defined_literal"):
            return text
        if re.fullmatch(r"0|[1-9]\d{0,7}", text):
            found, other = self.fault("number", node), int(text) + 1
        elif re.fullmatch(r"\d+\.\d*(e-?\d+)?|\d+e-?\d+", text):
            found, other = self.fault("number", node), float(text) * 1.5 or 1.0
        else:
            return text
        return f"(klm::on({found}) ? {other!r} : {text})" if found else text

    def write_return_statement(self, node):
        value = node.named_children[0] if node.named_child_count == 1 else None
        if self.returns_bool and value is not None and value.type != "initializer_list" and not node.has_error:
            if found := self.fault("answer", node):
                return f"return klm::on({found}) != static_cast<bool>({self.write(value)});"
        return self.parts(node)

    def write_initializer_pair(self, node):
        value = node.child_by_field_name("value")
        kinds = ("binary_expression", "call_expression", "conditional_expression", "field_expression", "identifier", "subscript_expression")
        if value is not None and value.type in kinds and not node.has_error and not value.text.startswith((b'"', b"nullptr")):
            if found := self.fault("member", node):
                return f"{self.between(node.start_byte, value.start_byte)}klm::emptied({found}, {self.write(value)})"
        return self.parts(node)

    def write_call_expression(self, node):
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        called = self.raw(function)
        if called in ("KL_ASSIGN", "KL_ASSIGN_NAMED"):  # the first argument is a declaration
            first = arguments.named_children[0] if arguments.named_child_count else None
            return self.between(node.start_byte, arguments.start_byte) + self.parts(
                arguments, lambda child: self.raw(child) if first is not None and child == first else self.write(child))
        if called in INSTEAD and not node.has_error:
            other, kind = INSTEAD[called]
            if found := self.fault(kind, node):
                return f"(klm::on({found}) ? {other}{self.raw(arguments)} : {called}{self.raw(arguments)})"
        end = re.fullmatch(r"(.*\b)(front|back)", called, re.S)
        if end and function.type == "field_expression" and arguments.named_child_count == 0 and b"{" not in node.text and not node.has_error:
            if found := self.fault("end", node):
                return f"(klm::on({found}) ? {end[1]}{'back' if end[2] == 'front' else 'front'}() : {called}())"
        return self.parts(node)
